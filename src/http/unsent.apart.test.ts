// Answers that their caller does not read: they are few, and cost only the company that asked.

import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ask, run } from '../../test/testkit/client.ts'
import { newReportHome, type ReportHome, sendReport } from '../../test/testkit/reports.ts'
import { serviceUrl } from '../../test/testkit/service.ts'

/** Ten findings with a text of 100,000 characters each, asked for thirty times: an answer of 30,000,000. */
const LARGE = `query ($companyId: ID!) { issues(companyId: $companyId, pagination: { perPage: 10 }) {
  collection { ${Array.from({ length: 30 }, (_, number) => `d${number}: description`).join(' ')} } } }`

async function newLargeHome(): Promise<ReportHome> {
  const home = await newReportHome()
  const findings = Array.from({ length: 10 }, (_, number) => ({
    title: `Finding ${number}`,
    severity: 'High',
    description: 'x'.repeat(100_000),
  }))
  await sendReport(home, JSON.stringify({ findings }))
  return home
}

type Unread = { socket: Socket; status: number }

/** Asks, and reads no more than the first bytes of the answer. */
async function askWithoutReading({ key, companyId }: ReportHome): Promise<Unread> {
  const { hostname, port } = new URL(await serviceUrl())
  const body = JSON.stringify({ query: LARGE, variables: { companyId } })
  const lines = [
    'POST /graphql HTTP/1.1',
    'host: x',
    `x-api-key: ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  socket.pause()
  return { socket, status: Number(first.toString('latin1', 9, 12)) }
}

test('a company whose large answers are not read gets no more of them until they are, and no other company waits for that', async () => {
  const [home, other] = [await newLargeHome(), await newLargeHome()]
  const unread: Unread[] = []
  for (let count = 0; count < 3; count += 1) unread.push(await askWithoutReading(home))

  const refused = await ask(home.key, '{ viewer { id } }')
  const elsewhere = await run(other.key, LARGE, other)
  for (const { socket } of unread) socket.destroy()
  const afterwards = () => ask(home.key, '{ viewer { id } }')

  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(refused.errors[0]?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
  expect(elsewhere.issues.collection).toHaveLength(10)
  await expect.poll(async () => (await afterwards()).status).toBe(200)
})

test('of large answers that are asked for at once, those are refused for which there is no room', async () => {
  const home = await newLargeHome()

  const unread = await Promise.all(Array.from({ length: 8 }, () => askWithoutReading(home)))
  for (const { socket } of unread) socket.destroy()

  const statuses = unread.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(4)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})
