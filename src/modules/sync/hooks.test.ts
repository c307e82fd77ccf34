// A tracker that calls by itself: from the webhook that is made there to the finding that follows, through the route and the worker.

import { beforeAll, expect, test, vi } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { type BoardsFake, serveBoards } from '../../../test/testkit/boards-fake.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import {
  CREATE_ITEM,
  deliveriesOf,
  itemOf,
  newBoardsWorld,
  newFinding,
  statusOf,
  type Tracked,
} from '../../../test/testkit/trackers.ts'
import { json } from '../../../test/testkit/vendor-fake.ts'

const HOOK = `mutation ($input: CreateTrackerWebhookInput!) { createTrackerWebhook(input: $input) {
  isMade webhook { url userName password events } } }`

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  await service.app.startWorker(['sync-tracker'])
  return () => service.app.stop(0)
})

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 })

const withHook = async () => {
  const fake = await serveBoards()
  const world = await newBoardsWorld()
  const { id } = await newFinding(world)
  const input = { integrationId: world.integrationId }
  const data = await askAt(service.url, world.owner.key, HOOK, { input })
  await askAt(service.url, world.owner.key, CREATE_ITEM, { input: { issueId: id } })
  await until(async () => expect((await itemOf(world, id)).state).toBe('LINKED'))
  return { fake, world, id, made: data.createTrackerWebhook }
}

/** As the vendor calls; `password` is what it was given unless said. */
const call = async (fake: BoardsFake, rev: number, state: string, { number = 1, password = '' } = {}) => {
  const inputs = fake.subscriptions[0]?.consumerInputs
  const secret = password || inputs?.basicAuthPassword
  const { pathname } = new URL(inputs?.url ?? '')
  const resource = {
    workItemId: 1,
    rev,
    revisedBy: { displayName: 'Ada' },
    revision: { fields: { 'System.State': state } },
  }
  const { status } = await fetch(service.url + pathname, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`merlon:${secret}`).toString('base64')}`,
    },
    body: JSON.stringify({ id: `event-${number}`, eventType: 'workitem.updated', resource }),
  })
  return status
}

const readsOf = (fake: BoardsFake) =>
  fake.seen.filter(({ method, path }) => method === 'GET' && /workitems\/1$/.test(path))

test('a card that a person moves is followed as soon as the tracker calls', async () => {
  const { fake, world, id, made } = await withHook()

  fake.move(1, 'Closed')
  const status = await call(fake, 2, 'Closed')
  await until(async () => expect(await statusOf(world, id)).toBe('AWAITING_VALIDATION'))

  expect(made).toEqual({ isMade: true, webhook: null })
  expect(fake.subscriptions.map(({ eventType }) => eventType)).toEqual(['workitem.updated', 'workitem.deleted'])
  expect([status, fake.writes]).toEqual([200, ['create 1']])
})

test('our own move that is told, a call that comes twice, and one without the password set nothing off', async () => {
  const { fake, world } = await withHook()
  const before = readsOf(fake).length

  const own = await call(fake, 1, 'New')
  const forged = await call(fake, 9, 'Closed', { number: 2, password: 'guessed' })
  fake.move(1, 'Active')
  const first = await call(fake, 2, 'Active', { number: 3 })
  await until(async () => expect((await itemOf(world, (await onlyItem(world)).issueId)).externalStatus).toBe('Active'))
  const reads = readsOf(fake).length
  const again = await call(fake, 2, 'Active', { number: 3 })

  expect([own, forged, first, again]).toEqual([200, 403, 200, 200])
  expect([reads - before, readsOf(fake).length]).toEqual([1, reads])
})

const onlyItem = async (world: Tracked) => (await deliveriesOf(world))[0]

test('a tracker that does not let it be made says what a person enters', async () => {
  const fake = await serveBoards()
  const world = await newBoardsWorld()
  fake.trouble = ({ path }) =>
    path.includes('subscriptions') ? json({ message: 'Access denied' }, { status: 403 }) : null

  const input = { integrationId: world.integrationId }
  const data = await askAt(service.url, world.owner.key, HOOK, { input })

  const { isMade, webhook } = data.createTrackerWebhook
  expect(isMade).toBe(false)
  expect(webhook).toMatchObject({ userName: 'merlon', events: ['workitem.updated', 'workitem.deleted'] })
  expect(webhook.url).toMatch(new RegExp(`^https://merlon.example.test/hooks/${world.companyId}-[\\w-]{43}$`))
  expect(webhook.password.length).toBeGreaterThan(40)
})
