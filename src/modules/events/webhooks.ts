// Webhooks: who may create, change, test and replay them, and their secrets.

import { transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readTarget } from '../../core/outbound.ts'
import { OutboundFailed } from '../../core/outbound-errors.ts'
import { resealing } from '../../core/resealing.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import { attempt, openSecrets, secretPlace } from './deliver.ts'
import { readKinds } from './kinds.ts'
import { wakeWebhook } from './relay.ts'
import { newSecret } from './signature.ts'
import * as deliveries from './store-deliveries.ts'
import * as store from './store-webhooks.ts'

/** Per company. */
const MOST_WEBHOOKS = 20
const MOST_REPLAYED = 100_000
const LONGEST_OVERLAP = 168

const authorizeWebhook = (context: Context, action: 'webhooks:read' | 'webhooks:write', id: Id) =>
  authorizeRecord(context, action, 'Webhook', id, () => store.findWebhook(context.db, context.viewer, id))

export async function listWebhooks(context: Context, companyId: Id, page: PageRequest): Promise<Page<store.Webhook>> {
  await authorize(context, 'webhooks:read', companyId)
  return store.listWebhooks(context.db, companyId, page)
}

export async function listDeliveries(
  context: Context,
  companyId: Id,
  webhookId: Id | null,
  states: readonly deliveries.DeliveryState[] | null,
  page: PageRequest,
): Promise<Page<deliveries.Delivery>> {
  await authorize(context, 'webhooks:read', companyId)
  if (webhookId !== null) {
    const webhook = await store.findWebhook(context.db, context.viewer, webhookId)
    if (webhook?.companyId !== companyId) throw notFound('Webhook', webhookId)
  }
  return deliveries.listDeliveries(context.db, companyId, webhookId, states, page)
}

/** The input of a webhook; null leaves a field unchanged. */
type Given = {
  url: string | null
  description: string | null
  kinds: readonly string[] | null
  isEnabled: boolean | null
}

type Before = Pick<store.Webhook, 'url' | 'description' | 'kinds' | 'isEnabled'>

function readGiven(context: Context, given: Given, before: Before): store.WebhookWrite {
  const description = given.description ?? before.description
  if (description.length > 500) throw badUserInput('description has up to 500 characters', 'input.description')
  return {
    url: given.url === null ? before.url : readUrl(context, given.url, 'input.url'),
    description,
    kinds: given.kinds === null ? before.kinds : readKinds(given.kinds, 'input.kinds'),
    isEnabled: given.isEnabled ?? before.isEnabled,
  }
}

/** Checks that the address may be called; what it resolves to is checked again at each call. */
export function readUrl({ config }: Context, url: string, argument: string): string {
  try {
    if (url.length > 2_000) throw badUserInput('An address has up to 2,000 characters', argument)
    return readTarget(url.trim(), config.outbound).href
  } catch (error) {
    if (error instanceof OutboundFailed) throw badUserInput(error.message.replace(/^t/, 'T'), argument)
    throw error
  }
}

const told = ({ url, description, kinds, isEnabled }: store.Webhook) => ({
  url: masked(url),
  description,
  kinds,
  isEnabled,
})

/** Shows only the origin, because the path may be a credential. */
const masked = (url: string): string => new URL(url).origin

/** Creates a webhook, which receives events from now on. Its secret is shown only this once. */
export async function createWebhook(context: Context, companyId: Id, given: Given) {
  await authorize(context, 'webhooks:write', companyId)
  const write = readGiven(context, given, { url: '', description: '', kinds: ['*'], isEnabled: true })
  return transaction(context.db, async (trx) => {
    if ((await store.countWebhooks(trx, companyId)) >= MOST_WEBHOOKS) {
      throw failedPrecondition(`The company has ${MOST_WEBHOOKS} webhooks, the maximum`)
    }
    const id = await store.nextWebhookId(trx)
    const secret = newSecret()
    const sealed = await context.keyring.seal(trx, secretPlace(companyId, id, 'sealed'), secret)
    const webhook = await store.insertWebhook(
      trx,
      { ...write, companyId, id, createdById: context.viewer.userId },
      sealed,
    )
    await audit(trx, context, { companyId, object: `Webhook ${id}`, after: told(webhook) })
    return { webhook, secret }
  })
}

export async function updateWebhook(context: Context, id: Id, given: Given): Promise<store.Webhook> {
  const { companyId } = await authorizeWebhook(context, 'webhooks:write', id)
  return transaction(context.db, async (trx) => {
    const before = await requireLocked(trx, companyId, id)
    const after = await store.updateWebhook(trx, before, readGiven(context, given, before))
    await wakeWebhook(trx, companyId, id)
    await audit(trx, context, { companyId, object: `Webhook ${id}`, before: told(before), after: told(after) })
    return after
  })
}

/** Deletes a webhook with the log of its deliveries. */
export async function deleteWebhook(context: Context, id: Id): Promise<Id> {
  const { companyId } = await authorizeWebhook(context, 'webhooks:write', id)
  return transaction(context.db, async (trx) => {
    const before = await requireLocked(trx, companyId, id)
    await store.deleteWebhook(trx, before)
    await audit(trx, context, { companyId, object: `Webhook ${id}`, before: told(before) })
    return id
  })
}

/** Creates a new secret; the previous one also signs for so many hours. */
export async function rotateWebhookSecret(context: Context, id: Id, overlapHours: number) {
  const { companyId } = await authorizeWebhook(context, 'webhooks:write', id)
  if (overlapHours < 0 || overlapHours > LONGEST_OVERLAP) {
    throw badUserInput(`overlapHours is from 0 to ${LONGEST_OVERLAP}`, 'input.overlapHours')
  }
  return transaction(context.db, async (trx) => {
    const before = await requireLocked(trx, companyId, id)
    const secret = newSecret()
    const [old] = await openSecrets({ db: trx, keyring: context.keyring }, companyId, id)
    const current = await context.keyring.seal(trx, secretPlace(companyId, id, 'sealed'), secret)
    const previous =
      old === undefined || overlapHours === 0
        ? null
        : await context.keyring.seal(trx, secretPlace(companyId, id, 'previous_sealed'), old)
    const webhook = await store.replaceSecret(trx, before, current, previous && { ...previous, hours: overlapHours })
    await audit(trx, context, { companyId, object: `Webhook ${id}`, after: { secretReplaced: true, overlapHours } })
    return { webhook, secret }
  })
}

/** Sends an event of the kind webhook.test at once, and returns the outcome. */
export async function testWebhook(context: Context, id: Id): Promise<deliveries.Delivery> {
  const { companyId, url } = await authorizeWebhook(context, 'webhooks:write', id)
  const message = { type: 'webhook.test', timestamp: new Date().toISOString(), data: { companyId, id } }
  const due = await transaction(context.db, async (trx) => {
    await audit(trx, context, { companyId, object: `Webhook ${id}`, after: { tested: true } })
    return deliveries.insertTest(trx, companyId, id, message)
  })
  const secrets = await openSecrets(context, companyId, id)
  await attempt(context, { url, failures: 0 }, secrets, due)
  const delivery = await deliveries.findDelivery(context.db, companyId, due.id)
  if (!delivery) throw notFound('Webhook', id)
  return delivery
}

type Replay = { since: string | null; deliveryIds: readonly Id[] | null }

/** Queues deliveries, or all events since a time, again; returns their number. */
export async function replayWebhook(context: Context, id: Id, { since, deliveryIds }: Replay): Promise<number> {
  const { companyId } = await authorizeWebhook(context, 'webhooks:write', id)
  if ((since === null) === (deliveryIds === null)) throw badUserInput('Give either since or deliveryIds', 'input')
  return transaction(context.db, async (trx) => {
    await requireLocked(trx, companyId, id)
    const queued =
      since === null
        ? await replaySome(trx, companyId, id, deliveryIds ?? [])
        : await deliveries.queueSince(trx, companyId, id, since, MOST_REPLAYED)
    if (queued > 0) await wakeWebhook(trx, companyId, id)
    await audit(trx, context, { companyId, object: `Webhook ${id}`, after: { replayed: queued, since } })
    return queued
  })
}

type Trx = Parameters<typeof store.lockWebhook>[0]

async function replaySome(trx: Trx, companyId: Id, webhookId: Id, ids: readonly Id[]): Promise<number> {
  const found = new Set(await deliveries.findIds(trx, companyId, webhookId, ids))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw notFound('WebhookDelivery', missing)
  return deliveries.queueAgain(trx, companyId, webhookId, ids)
}

async function requireLocked(trx: Trx, companyId: Id, id: Id): Promise<store.Webhook> {
  const webhook = await store.lockWebhook(trx, companyId, id)
  if (!webhook) throw notFound('Webhook', id)
  return webhook
}

export const reencryptWebhooks = resealing(store.lockSealedBefore, async (trx, keyring, companyId, id) => {
  const [current, previous] = await openSecrets({ db: trx, keyring }, companyId, id)
  if (current === undefined) return
  const seal = (column: 'sealed' | 'previous_sealed', plain: string) =>
    keyring.seal(trx, secretPlace(companyId, id, column), plain)
  const old = previous === undefined ? null : await seal('previous_sealed', previous)
  await store.updateSealed(trx, companyId, id, await seal('sealed', current), old)
})
