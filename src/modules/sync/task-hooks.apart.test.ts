// Webhook calls of ClickUp: believed only by the signature of their bytes, acted on once, and followed by the finding.

import { beforeAll, describe, expect, test } from 'vitest'
import { askAt } from '../../../test/testkit/asking.ts'
import { type Service, startService } from '../../../test/testkit/service.ts'
import { serveTasks } from '../../../test/testkit/tasks-fake.ts'
import {
  CREATE_ITEM,
  itemOf,
  newFinding,
  newTasksWorld,
  runWaitingJob,
  statusOf,
} from '../../../test/testkit/trackers.ts'
import { hmac } from '../../core/crypto.ts'

const HOOK = `mutation ($input: CreateTrackerWebhookInput!) { createTrackerWebhook(input: $input) {
  isMade webhook { url } } }`
const SECRET = 'made-by-the-vendor-1'

let service: Service

beforeAll(async () => {
  service = await startService({ MERLON_PUBLIC_URL: 'https://merlon.example.test' })
  return () => service.app.stop(0)
})

/** A finding with its task, and the webhook that was made for it. */
const withHook = async () => {
  const fake = await serveTasks()
  const world = await newTasksWorld()
  const { id } = await newFinding(world)
  const { createTrackerWebhook: made } = await askAt(service.url, world.owner.key, HOOK, {
    input: { integrationId: world.integrationId },
  })
  await askAt(service.url, world.owner.key, CREATE_ITEM, { input: { issueId: id } })
  await runWaitingJob(world)
  const call = async (body: string, signature: string | null) => {
    const headers = { 'content-type': 'application/json', ...(signature !== null && { 'x-signature': signature }) }
    const { status } = await fetch(service.url + new URL(fake.hooks[0]?.endpoint ?? '').pathname, {
      method: 'POST',
      headers,
      body,
    })
    return status
  }
  return { fake, world, id, made, call, taskId: [...fake.tasks.keys()][0] ?? '' }
}

const moved = (taskId: string, number: number, status: string) =>
  JSON.stringify({
    event: 'taskStatusUpdated',
    task_id: taskId,
    webhook_id: 'hook-1',
    history_items: [{ id: String(number), user: { username: 'Ada' }, after: { status } }],
  })

const sign = (body: string, secret = SECRET) => hmac(Buffer.from(secret), Buffer.from(body)).toString('hex')

describe('a call of ClickUp', () => {
  test('that is signed has the task looked at, and the finding follows it', async () => {
    const { fake, world, id, made, call, taskId } = await withHook()
    const body = moved(taskId, 1, 'in progress')

    fake.move(taskId, 'in progress')
    const status = await call(body, sign(body))
    const isWoken = await runWaitingJob(world)

    expect(made).toEqual({ isMade: true, webhook: null })
    expect([status, isWoken]).toEqual([200, true])
    expect(await statusOf(world, id)).toBe('IN_PROGRESS')
    expect(await itemOf(world, id)).toMatchObject({ externalStatus: 'in progress', failure: null })
  })

  test('that comes again is taken, and sets nothing off', async () => {
    const { fake, world, call, taskId } = await withHook()
    const body = moved(taskId, 1, 'in progress')
    fake.move(taskId, 'in progress')
    await call(body, sign(body))
    await runWaitingJob(world)

    const again = await call(body, sign(body))

    expect([again, await runWaitingJob(world)]).toEqual([200, false])
  })

  test.each([
    ['without a signature', (body: string) => [body, null]],
    ['with an empty one', (body: string) => [body, '']],
    ['with one of another secret', (body: string) => [body, sign(body, 'guessed')]],
    ['whose bytes were altered', (body: string) => [`${body} `, sign(body)]],
    ['that was altered to name another task', (body: string) => [body.replace('"9h1"', '"9h2"'), sign(body)]],
  ] as const)('%s is refused and sets nothing off', async (_, forged) => {
    const { fake, world, id, call, taskId } = await withHook()
    fake.move(taskId, 'in progress')
    const [body, signature] = forged(moved(taskId, 1, 'in progress')) as [string, string | null]

    const status = await call(body, signature)

    expect([status, await runWaitingJob(world)]).toEqual([403, false])
    expect(await statusOf(world, id)).toBe('IDENTIFIED')
  })
})
