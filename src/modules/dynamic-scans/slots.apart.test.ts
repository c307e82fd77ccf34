// Long scans, however many, leave room for the worker's other calls and for other companies' scans.

import { expect, onTestFinished, test } from 'vitest'
import { type Data, run } from '../../../test/testkit/client.ts'
import { type Home, listening, newTarget, SCAN, started } from '../../../test/testkit/dynamic-scans.ts'
import { toThisMachine, until } from '../../../test/testkit/events.ts'
import { openReceiver } from '../../../test/testkit/receiver.ts'
import { startService } from '../../../test/testkit/service.ts'
import { newWorld } from '../../../test/testkit/world.ts'

type Run = { home: Home; id: string }

/** Settings of a service whose scans and webhooks may go to this machine. */
const scanning = { ...toThisMachine, MERLON_SCAN_ALLOW: '127.0.0.1:*' }

const CREATE = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }'
const TRY = 'mutation ($input: TestWebhookInput!) { testWebhook(input: $input) { clientMutationId } }'

const statusOf = async ({ home, id }: Run): Promise<string> =>
  (await run(home.key, SCAN, { id })).controlSyncStatus.status

const cancel = ({ home, id }: Run) =>
  run(home.key, 'mutation ($id: ID!) { cancelScan(input: { id: $id }) { success } }', { id })

test('more scans than fit at once wait, and a webhook is delivered meanwhile', async () => {
  const silent = await listening(() => {})
  const homes = await Promise.all(Array.from({ length: 9 }, () => newTarget(silent, { scanProfile: 'BASIC' })))
  const receiver = await openReceiver()
  const { app, url } = await startService(scanning)
  const act = async (query: string, input: object): Promise<Data> => {
    const headers = { 'content-type': 'application/json', 'x-api-key': homes[0]?.key ?? '' }
    const body = JSON.stringify({ query, variables: { input } })
    return JSON.parse(await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).text()).data
  }
  const runs = await Promise.all(homes.map(async (home) => ({ home, id: await started(home) })))
  const statuses = () => Promise.all(runs.map(statusOf))
  onTestFinished(async () => {
    for (const one of runs) await cancel(one)
    await app.stop(0)
    await receiver.close()
  })

  await app.startWorker(['dynamic-scan', 'deliver-webhook'])
  await until(async () => (await statuses()).includes('RUNNING'))
  const { createWebhook } = await act(CREATE, { companyId: homes[0]?.companyId, url: receiver.url })
  await act(TRY, { id: createWebhook.webhook.id })
  await until(() => receiver.received.length > 0)

  const now = await statuses()
  expect(now.filter((status) => status === 'RUNNING').length).toBeLessThanOrEqual(4)
  expect(now).toContain('PENDING')
})

test('a company with many scans leaves room for the first one of another', async () => {
  const silent = await listening(() => {})
  const world = await newWorld()
  const profile = { scanProfile: 'BASIC' }
  const homes = await Promise.all(Array.from({ length: 6 }, () => newTarget(silent, profile, world)))
  const many = await Promise.all(homes.map(async (home) => ({ home, id: await started(home) })))
  const other = await newTarget(silent, profile)
  const single = { home: other, id: await started(other) }
  const { app } = await startService(scanning)
  onTestFinished(async () => {
    for (const one of [...many, single]) await cancel(one)
    await app.stop(0)
  })

  await app.startWorker(['dynamic-scan'])
  await until(async () => (await statusOf(single)) === 'RUNNING')

  const statuses = await Promise.all(many.map(statusOf))
  expect(statuses.filter((status) => status === 'RUNNING').length).toBeLessThanOrEqual(2)
  expect(statuses).toContain('PENDING')
})
