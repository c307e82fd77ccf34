// Deliveries of webhooks: what is sent and how it is signed, retries, the order for each object, and replays.

import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Data, run, runAt } from '../../../test/testkit/client.ts'
import { startWorkingService, until } from '../../../test/testkit/events.ts'
import { decide } from '../../../test/testkit/findings.ts'
import { openReceiver, type Received } from '../../../test/testkit/receiver.ts'
import type { Service } from '../../../test/testkit/service.ts'
import { newAsset, newIssue, newWorld, type World } from '../../../test/testkit/world.ts'

let service: Service

beforeAll(async () => {
  service = await startWorkingService()
})

afterAll(() => service.app.stop(0))

async function createWebhook(key: string, companyId: string, url: string, kinds: string[] = ['*']) {
  const { createWebhook: made } = await runAt(
    service.url,
    key,
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { secret webhook { id url kinds isEnabled } } }',
    { input: { companyId, url, kinds } },
  )
  return { id: made.webhook.id as string, secret: made.secret as string }
}

async function deliveriesOf(key: string, companyId: string, webhookId: string) {
  const { webhookDeliveries } = await runAt(
    service.url,
    key,
    `query ($companyId: ID!, $webhookId: ID) { webhookDeliveries(companyId: $companyId, webhookId: $webhookId, pagination: { perPage: 100 }) {
      collection { id eventId kind objectId state attempts responseStatus responseBody duration failure nextAttemptAt finishedAt } } }`,
    { companyId, webhookId },
  )
  return webhookDeliveries.collection
}

const signedBy = ({ headers, body }: Received, secret: string): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

/** Whether a job of the company is under way. */
async function isSending({ companyId }: World): Promise<boolean> {
  const { rows } = await sql`
    select from graphile_worker._private_jobs
    where locked_at is not null and payload ->> 'companyId' = ${companyId}`.execute(service.app.db)
  return rows.length > 0
}

/** Lets what waits for its next attempt be tried now. */
async function hurry({ companyId }: World): Promise<void> {
  const { db } = service.app
  await sql`update webhook_delivery set next_attempt_at = now() where company_id = ${companyId} and state = 'PENDING'`.execute(
    db,
  )
  await sql`update webhook set held_until = null where company_id = ${companyId}`.execute(db)
  await sql`select graphile_worker.add_job('look-after-deliveries')`.execute(db)
}

describe('A webhook', () => {
  test('is sent what happened, signed as Standard Webhooks says, and the log tells of it', async () => {
    const receiver = await openReceiver(() => ({ status: 200, body: 'thanks' }))
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const { id, secret } = await createWebhook(owner.key, companyId, receiver.url, ['issue.*'])

    const issue = await newIssue(owner.key, asset.id)

    await until(() => receiver.received.length > 0)
    const [received] = receiver.received
    if (!received) throw new Error('Nothing was received')
    expect(received.message).toMatchObject({
      type: 'issue.created',
      data: { companyId, id: issue.id, assetId: asset.id, title: issue.title, severity: 'HIGH' },
    })
    expect(received.headers['webhook-id']).toMatch(/^evt_\d+$/)
    expect(Math.abs(Number(received.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(signedBy(received, secret)).toBe(true)
    const delivered = await until(async () => {
      const [delivery] = await deliveriesOf(owner.key, companyId, id)
      return delivery?.state === 'DELIVERED' && delivery
    })
    await receiver.close()
    expect(delivered).toMatchObject({
      kind: 'issue.created',
      objectId: issue.id,
      attempts: 1,
      responseStatus: 200,
      responseBody: 'thanks',
      failure: null,
      nextAttemptAt: null,
      eventId: received.headers['webhook-id'],
    })
  })

  test('is sent the kinds that it asks for alone, and nothing of another company', async () => {
    const receiver = await openReceiver()
    const [mine, theirs] = [await newWorld(), await newWorld()]
    const asset = await newAsset(mine.owner.key, mine.companyId)
    await createWebhook(mine.owner.key, mine.companyId, receiver.url, ['issue.status_changed'])
    await newIssue(theirs.owner.key, (await newAsset(theirs.owner.key, theirs.companyId)).id)

    const issue = await newIssue(mine.owner.key, asset.id)
    await decide(mine.owner.key, issue.id, 'IN_PROGRESS')

    await until(() => receiver.received.length > 0)
    await receiver.close()
    expect(receiver.received.map(({ message }) => [message.type, message.data.id])).toEqual([
      ['issue.status_changed', issue.id],
    ])
  })

  test('that fails is tried again, and what happened to the object later waits until then', async () => {
    let fails = true
    const receiver = await openReceiver(({ message }) => (fails && message.data.id === stuck.id ? 503 : 204))
    const world = await newWorld()
    const { companyId, owner } = world
    const asset = await newAsset(owner.key, companyId)
    const { id } = await createWebhook(owner.key, companyId, receiver.url, ['issue.*'])
    const stuck = await newIssue(owner.key, asset.id)
    await decide(owner.key, stuck.id, 'IN_PROGRESS')
    const other = await newIssue(owner.key, asset.id)

    for (const { id: told } of [stuck, other]) {
      await until(() => receiver.received.some(({ message }) => message.data.id === told))
    }
    const whileFailing = receiver.received.filter(({ message }) => message.data.id === stuck.id)
    fails = false
    await hurry(world)
    await until(async () =>
      (await deliveriesOf(owner.key, companyId, id)).every(({ state }: { state: string }) => state === 'DELIVERED'),
    )

    await receiver.close()
    const told = receiver.received.filter(({ message }) => message.data.id === stuck.id)
    expect(new Set(whileFailing.map(({ message }) => message.type))).toEqual(new Set(['issue.created']))
    expect(told.at(-1)?.message.type).toBe('issue.status_changed')
    expect(new Set(told.slice(0, -1).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('is given up after 24 hours, and what waited behind it goes on', async () => {
    const receiver = await openReceiver(({ message }) => (message.type === 'issue.created' ? 500 : 204))
    const world = await newWorld()
    const { companyId, owner } = world
    const asset = await newAsset(owner.key, companyId)
    const { id } = await createWebhook(owner.key, companyId, receiver.url, ['issue.*'])
    const issue = await newIssue(owner.key, asset.id)
    await until(() => receiver.received.length > 0)
    await decide(owner.key, issue.id, 'IN_PROGRESS')
    await until(async () => (await deliveriesOf(owner.key, companyId, id)).length === 2)

    await sql`update webhook_delivery set ends_at = now() where company_id = ${companyId} and kind = 'issue.created'`.execute(
      service.app.db,
    )
    await hurry(world)

    const states = await until(async () => {
      const found = (await deliveriesOf(owner.key, companyId, id)).map(({ state }: { state: string }) => state)
      return !found.includes('PENDING') && found
    })
    await receiver.close()
    expect(states).toEqual(['DELIVERED', 'GIVEN_UP'])
  })

  test('that answers 410 is disabled, and says so', async () => {
    const receiver = await openReceiver(() => 410)
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    await createWebhook(owner.key, companyId, receiver.url)

    await newIssue(owner.key, asset.id)

    const webhook = await until(async () => {
      const { webhooks } = await run(
        owner.key,
        'query ($companyId: ID!) { webhooks(companyId: $companyId) { collection { isEnabled disabledReason } } }',
        { companyId },
      )
      return webhooks.collection[0].isEnabled === false && webhooks.collection[0]
    })
    await receiver.close()
    expect(webhook.disabledReason).toBe('The endpoint answered 410 Gone')
  })

  test('is held after failures in a row, and then tried once at a time until one is delivered', async () => {
    let answer = 500
    const receiver = await openReceiver(() => answer)
    const world = await newWorld()
    const { companyId, owner } = world
    const asset = await newAsset(owner.key, companyId)
    await createWebhook(owner.key, companyId, receiver.url)
    for (let made = 0; made < 12; made += 1) await newIssue(owner.key, asset.id)

    const webhookIs = (wanted: (webhook: Data) => boolean | Promise<boolean>) =>
      until(async () => {
        const { webhooks } = await run(
          owner.key,
          'query ($companyId: ID!) { webhooks(companyId: $companyId) { collection { failures heldUntil } } }',
          { companyId },
        )
        return (await wanted(webhooks.collection[0])) && webhooks.collection[0]
      })
    // a batch that is under way ends, whose calls may be on their way yet
    const { failures } = await webhookIs(
      async (held) =>
        held.heldUntil !== null && !(await isSending(world)) && held.failures === receiver.received.length,
    )
    await sql`update webhook set failures = 20, held_until = now() + interval '1 hour' where company_id = ${companyId}`.execute(
      service.app.db,
    )
    const before = receiver.received.length
    await hurry(world)
    await webhookIs((held) => held.heldUntil !== null && held.failures === 21)
    const tried = receiver.received.length - before
    answer = 204
    await hurry(world)
    await webhookIs((held) => held.failures === 0 && held.heldUntil === null)
    await until(() => receiver.received.length === before + 1 + 12)

    await receiver.close()
    expect(failures).toBeGreaterThanOrEqual(5)
    expect(tried).toBe(1)
  })
})

describe('The secret of a webhook', () => {
  test('that is rotated signs together with the new one, for as long as was asked', async () => {
    const receiver = await openReceiver()
    const { companyId, owner } = await newWorld()
    const { id, secret } = await createWebhook(owner.key, companyId, receiver.url)
    const rotate = async (overlapHours: number) =>
      (
        await runAt(
          service.url,
          owner.key,
          'mutation ($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { secret } }',
          { input: { id, overlapHours } },
        )
      ).rotateWebhookSecret.secret
    const sent = async () => {
      await runAt(
        service.url,
        owner.key,
        'mutation ($id: ID!) { testWebhook(input: { id: $id }) { delivery { state } } }',
        { id },
      )
      const received = receiver.received.at(-1)
      if (!received) throw new Error('Nothing was received')
      return received
    }

    const second = await rotate(24)
    const both = await sent()
    await sql`update webhook set previous_until = now() where company_id = ${companyId}`.execute(service.app.db)
    const later = await sent()
    const third = await rotate(0)
    const alone = await sent()

    await receiver.close()
    expect([secret, second].map((one) => signedBy(both, one))).toEqual([true, true])
    expect([secret, second].map((one) => signedBy(later, one))).toEqual([false, true])
    expect([second, third].map((one) => signedBy(alone, one))).toEqual([false, true])
  })

  test('is sealed under a new data key with all the others', async () => {
    const receiver = await openReceiver()
    const { companyId, owner } = await newWorld()
    const { id, secret } = await createWebhook(owner.key, companyId, receiver.url)

    const { rotateDataKey } = await run(
      owner.key,
      'mutation ($id: ID!) { rotateDataKey(input: { companyId: $id }) { reencrypted } }',
      { id: companyId },
    )
    const { testWebhook } = await runAt(
      service.url,
      owner.key,
      'mutation ($id: ID!) { testWebhook(input: { id: $id }) { delivery { state kind eventId } } }',
      { id },
    )

    await receiver.close()
    const [received] = receiver.received
    expect(rotateDataKey.reencrypted).toBe(1)
    expect(testWebhook.delivery).toMatchObject({ state: 'DELIVERED', kind: 'webhook.test' })
    expect(received && signedBy(received, secret)).toBe(true)
  })
})

describe('A replay', () => {
  test('sends deliveries again, or all since a moment, under the same ids', async () => {
    const receiver = await openReceiver()
    const { companyId, owner } = await newWorld()
    const asset = await newAsset(owner.key, companyId)
    const { id } = await createWebhook(owner.key, companyId, receiver.url, ['issue.*'])
    const began = new Date(Date.now() - 60_000).toISOString()
    await newIssue(owner.key, asset.id)
    await newIssue(owner.key, asset.id)
    await until(() => receiver.received.length === 2)
    const [{ id: deliveryId, eventId }] = await deliveriesOf(owner.key, companyId, id)
    const replay = async (input: object) =>
      (
        await runAt(
          service.url,
          owner.key,
          'mutation ($input: ReplayWebhookInput!) { replayWebhook(input: $input) { queued } }',
          {
            input: { id, ...input },
          },
        )
      ).replayWebhook.queued

    const one = await replay({ deliveryIds: [deliveryId] })
    await until(() => receiver.received.length === 3)
    const all = await replay({ since: began })
    await until(() => receiver.received.length === 5)

    await receiver.close()
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect([one, all]).toEqual([1, 2])
    expect(ids.slice(0, 2)).toContain(ids[2])
    expect(ids[2]).toBe(eventId)
    expect(ids.slice(3).sort()).toEqual(ids.slice(0, 2).sort())
  })
})
