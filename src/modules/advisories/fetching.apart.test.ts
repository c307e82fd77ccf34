// Archives of advisories are fetched by the service's own jobs: once a day, by one node of many, and again after a failure.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { zipSync } from 'fflate'
import { expect, onTestFinished, test, vi } from 'vitest'
import { administratorKey, run } from '../../../test/testkit/client.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { FETCH_TASK, listArchives } from './fetching.ts'
import { tasks } from './jobs.ts'
import { findVulnerable } from './service.ts'

const DAY = 24 * 3_600_000

let count = 0
const newName = () => `fetched-package-${process.pid}-${++count}`

const archiveOf = (name: string) =>
  zipSync({
    'one.json': Buffer.from(
      JSON.stringify({
        id: `GHSA-${name}`,
        modified: '2026-02-01T00:00:00Z',
        affected: [
          {
            package: { ecosystem: 'npm', name },
            ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
          },
        ],
      }),
    ),
  })

/** Where archives are published, on this machine. */
async function startPublisher(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/all.zip`
}

async function startNode(address: string): Promise<Service> {
  const service = await startService({ MERLON_ADVISORIES_URL: address })
  onTestFinished(() => service.app.stop(0))
  await service.app.startWorker([FETCH_TASK])
  return service
}

/** What the clock starts every hour. */
const look = async ({ app }: Service) => tasks.find(({ name }) => name === 'fetch-due-advisories')?.run(app.parts, {})

const stateOf = async ({ app }: Service, address: string) => (await listArchives(app.db, [address]))[0]

const isKnown = async ({ app }: Service, name: string) =>
  (await findVulnerable(app.db, [{ ecosystem: 'npm', name, version: '1.0.0', path: 'lock', line: 1 }])).length > 0

test('an archive is fetched once a day, whatever number of nodes looks after it', async () => {
  const name = newName()
  let [asked, atOnce, most] = [0, 0, 0]
  const address = await startPublisher((_, response) => {
    asked += 1
    atOnce += 1
    most = Math.max(most, atOnce)
    setTimeout(() => {
      atOnce -= 1
      response.end(archiveOf(name))
    }, 300)
  })
  const [one, other] = [await startNode(address), await startNode(address)]
  const fetched = () => vi.waitUntil(async () => (await stateOf(one, address))?.fetchedAt, { timeout: 60_000 })
  const before = await stateOf(one, address)
  const figure = async () =>
    (await (await fetch(`${one.url}/metrics`)).text())
      .split('\n')
      .find((line) => line.startsWith('merlon_feed_fetched_timestamp_seconds{'))
  const figureBefore = await figure()

  await Promise.all([look(one), look(other), look(one)])
  const first = await fetched()
  await Promise.all([look(one), look(other)])
  await delay(1_500)
  const askedToday = asked
  const figureAfter = await figure()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY })
  onTestFinished(() => void vi.useRealTimers())
  await look(other)
  await vi.waitUntil(async () => (await stateOf(one, address))?.fetchedAt !== first, { timeout: 60_000 })

  expect(before).toEqual({ address, fetchedAt: null, failure: null })
  expect(figureBefore).toBe(`merlon_feed_fetched_timestamp_seconds{feed="${address}"} 0`)
  expect(figureAfter).toBe(`merlon_feed_fetched_timestamp_seconds{feed="${address}"} ${Date.parse(first ?? '') / 1000}`)
  expect(await isKnown(one, name)).toBe(true)
  expect([askedToday, asked, most]).toEqual([1, 2, 1])
  const { auditRecords } = await run(
    administratorKey(),
    '{ auditRecords { collection { operation object after portalUser { id } } } }',
  )
  expect(auditRecords.collection).toContainEqual({
    operation: FETCH_TASK,
    object: `Advisories ${address}`,
    after: { read: 1, written: 1, known: 0, withdrawn: 0, other: 0, unreadable: 0 },
    portalUser: null,
  })
})

test('an archive that cannot be fetched is reported and retried; what was known stays', async () => {
  const [known, next] = [newName(), newName()]
  const seen = Promise.withResolvers<void>()
  const answers: RequestListener[] = [
    (_, response) => response.end(archiveOf(known)),
    (_, response) => response.writeHead(503).end(),
    // only once what the one before came to was looked at
    async (_, response) => {
      await seen.promise
      response.end('<html>Maintenance</html>')
    },
    (_, response) => response.end(archiveOf(next)),
  ]
  const address = await startPublisher((request, response) => answers.shift()?.(request, response))
  const node = await startNode(address)
  await look(node)
  await vi.waitUntil(async () => (await stateOf(node, address))?.fetchedAt, { timeout: 60_000 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY })
  onTestFinished(() => void vi.useRealTimers())

  await look(node)
  const failure = await vi.waitUntil(async () => (await stateOf(node, address))?.failure, { timeout: 60_000 })
  const { jobs } = await run(administratorKey(), `{ jobs(task: "${FETCH_TASK}") { collection { state lastError } } }`)
  const isStillKnown = await isKnown(node, known)
  // looking again meanwhile leaves the job that waits, and what it says, as they are
  await look(node)
  const after = await stateOf(node, address)
  seen.resolve()

  expect(failure).toContain('the answer was 503')
  expect(jobs.collection).toMatchObject([{ lastError: expect.stringContaining('the answer was 503') }])
  expect(isStillKnown).toBe(true)
  expect(after?.failure).not.toBeNull()
  await vi.waitUntil(() => isKnown(node, next), { timeout: 60_000 })
  await vi.waitFor(async () => expect((await stateOf(node, address))?.failure).toBeNull(), { timeout: 60_000 })
  expect(await isKnown(node, known)).toBe(true)
})
