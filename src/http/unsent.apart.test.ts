// Answers that their caller does not read: they are few, and cost only the company that asked.

import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ask, run } from '../../test/testkit/client.ts'
import { inside, waitingStatements } from '../../test/testkit/inside.ts'
import { newReportHome, type ReportHome, sendReport } from '../../test/testkit/reports.ts'
import { serviceUrl } from '../../test/testkit/service.ts'
import { transaction } from '../core/db/open.ts'
import { holdAsset } from '../modules/issues/findings/service.ts'

/** Ten findings with a text of 100,000 characters each, asked for thirty times: an answer of 30,000,000. */
const TEXTS = Array.from({ length: 30 }, (_, number) => `d${number}: description`).join(' ')
const LARGE = `query ($companyId: ID!) { issues(companyId: $companyId, pagination: { perPage: 10 }) { collection { ${TEXTS} } } }`

/** The same of a change. */
const IMPORT = `mutation ($input: ImportFindingsInput!) { importFindings(input: $input) { import {
  rows(pagination: { perPage: 10 }) { collection { issue { ${TEXTS} } } } } } }`

const titles = Array.from({ length: 10 }, (_, number) => ({ title: `Finding ${number}`, severity: 'High' }))

async function newLargeHome(): Promise<ReportHome> {
  const home = await newReportHome()
  const findings = titles.map((finding) => ({ ...finding, description: 'x'.repeat(100_000) }))
  await sendReport(home, JSON.stringify({ findings }))
  return home
}

type Unread = { socket: Socket; status: number }

/** The same findings again. */
function reportOf({ companyId, assetId }: ReportHome) {
  const base64 = Buffer.from(JSON.stringify({ findings: titles })).toString('base64')
  return { input: { companyId, assetId, file: { filename: 'report.json', contentType: 'application/json', base64 } } }
}

/** Sends reports, all of which wait for their asset, and leaves before the answers are made. */
async function leaveEarly(home: ReportHome, times: number): Promise<void> {
  const { key, companyId, assetId } = home
  const { db } = await inside()
  await transaction(db, async (trx) => {
    await holdAsset(trx, companyId, assetId)
    const sent = Array.from({ length: times }, () => send(key, IMPORT, reportOf(home)))
    await expect.poll(() => waitingStatements()).toBe(times)
    for (const socket of await Promise.all(sent)) socket.destroy()
    await ask(key, '{ viewer { id } }')
  })
}

/** Sends a request over a connection of its own, which nobody reads. */
async function send(key: string, query: string, variables: object): Promise<Socket> {
  const { hostname, port } = new URL(await serviceUrl())
  const body = JSON.stringify({ query, variables })
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
  return socket
}

/** Asks, and reads no more than the first bytes of the answer. */
async function askWithoutReading({ key, companyId }: ReportHome): Promise<Unread> {
  const socket = await send(key, LARGE, { companyId })
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

test('answers whose callers have left before they were made are not waited for', async () => {
  const home = await newLargeHome()

  await leaveEarly(home, 3)
  const { importFindings } = await run(home.key, IMPORT, reportOf(home))
  const afterwards = await ask(home.key, '{ viewer { id } }')

  expect(importFindings.import.rows.collection).toHaveLength(10)
  expect(afterwards.status).toBe(200)
})
