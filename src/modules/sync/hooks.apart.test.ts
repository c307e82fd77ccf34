// Webhooks of trackers: from registering one to the finding that follows its card, through the route and the job.

import { beforeAll, expect, test } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { type BoardsFake, serveBoards } from '../../../test/testkit/boards-fake.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import {
  CREATE_ITEM,
  itemOf,
  newBoardsWorld,
  newFinding,
  runWaitingJob,
  statusOf,
} from '../../../test/testkit/trackers.ts'
import { json } from '../../../test/testkit/vendor-fake.ts'

const HOOK = `mutation ($input: CreateTrackerWebhookInput!) { createTrackerWebhook(input: $input) {
  isMade webhook { url userName password events } } }`

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  return () => service.app.stop(0)
})

const withHook = async () => {
  const fake = await serveBoards()
  const world = await newBoardsWorld()
  const { id } = await newFinding(world)
  const input = { integrationId: world.integrationId }
  const data = await askAt(service.url, world.owner.key, HOOK, { input })
  await askAt(service.url, world.owner.key, CREATE_ITEM, { input: { issueId: id } })
  await runWaitingJob(world)
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

test('a card that a person moves is followed as soon as the tracker calls', async () => {
  const { fake, world, id, made } = await withHook()

  fake.move(1, 'Closed')
  const status = await call(fake, 2, 'Closed')
  const isWoken = await runWaitingJob(world)

  expect(made).toEqual({ isMade: true, webhook: null })
  expect(fake.subscriptions.map(({ eventType }) => eventType)).toEqual(['workitem.updated', 'workitem.deleted'])
  expect([status, isWoken, fake.writes]).toEqual([200, true, ['create 1']])
  expect(await statusOf(world, id)).toBe('AWAITING_VALIDATION')
})

test('a call about our own move, a call that comes twice, and one without the password start nothing', async () => {
  const { fake, world, id } = await withHook()

  const own = await call(fake, 1, 'New')
  const forged = await call(fake, 9, 'Closed', { number: 2, password: 'guessed' })
  const isWokenByThem = await runWaitingJob(world)
  fake.move(1, 'Active')
  const first = await call(fake, 2, 'Active', { number: 3 })
  const isWoken = await runWaitingJob(world)
  const again = await call(fake, 2, 'Active', { number: 3 })

  expect([own, forged, first, again]).toEqual([200, 403, 200, 200])
  expect([isWokenByThem, isWoken, await runWaitingJob(world)]).toEqual([false, true, false])
  expect(await itemOf(world, id)).toMatchObject({ externalStatus: 'Active', externalAuthor: 'Ada' })
})

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
