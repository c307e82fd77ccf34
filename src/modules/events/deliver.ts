// Delivers the waiting events of a webhook: in order per object, in parallel across objects, with retries.

import { type Db, transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Keyring } from '../../core/keyring.ts'
import type { Outbound, OutboundAnswer } from '../../core/outbound.ts'
import { OutboundFailed } from '../../core/outbound-errors.ts'
import type { Parts } from '../context.ts'
import { holdAfter, pauseAfter, readRetryAfter } from './backoff.ts'
import { wakeWebhook, wakeWebhookIn } from './relay.ts'
import { headersOf } from './signature.ts'
import * as store from './store-deliveries.ts'
import { findSecrets } from './store-webhooks.ts'

/** Milliseconds for one attempt, and after which a run of the job starts no further attempt, so that shutdown does not take longer. */
const TIMEOUT = 8_000
const RUN = 4_000

const SIDE_BY_SIDE = 8
const AT_ONCE = 64
const LARGEST_ANSWER = 1024 * 1024
const KEPT_ANSWER = 2_000

type Sending = Pick<Parts, 'keyring' | 'outbound' | 'log'> & { db: Db }

export const secretPlace = (companyId: Id, id: Id, column: 'sealed' | 'previous_sealed') => ({
  companyId,
  table: 'webhook',
  row: id,
  column,
})

/** Runs until nothing is due or its time is up, and schedules the rest for later. Safe to run twice. */
export async function deliverWebhook(parts: Sending, companyId: Id, id: Id): Promise<void> {
  const until = performance.now() + RUN
  const { db } = parts
  const comeBack = (seconds: number) => transaction(db, (trx) => wakeWebhookIn(trx, seconds, companyId, id))
  for (;;) {
    const target = await store.findTarget(db, companyId, id)
    if (target === null) return
    if (target.heldSeconds > 0) return comeBack(target.heldSeconds)
    // one attempt is enough to see whether a failed destination answers again
    const isProbe = holdAfter(target.failures) > 0
    const heads = await store.listHeads(db, target, AT_ONCE)
    const due = heads.filter(({ waitSeconds }) => waitSeconds <= 0).slice(0, isProbe ? 1 : AT_ONCE)
    const [next] = heads
    if (next === undefined) return
    if (due.length === 0) return comeBack(next.waitSeconds)
    const secrets = await openSecrets(parts, companyId, id)
    const isOver = () => performance.now() >= until
    await sideBySide(due, (delivery) => attempt(parts, target, secrets, delivery), isOver)
    if (!isOver()) continue
    return transaction(db, (trx) => wakeWebhook(trx, companyId, id))
  }
}

export async function openSecrets(
  { db, keyring }: { db: Db; keyring: Keyring },
  companyId: Id,
  id: Id,
): Promise<string[]> {
  const sealed = await findSecrets(db, companyId, id)
  if (sealed === null) return []
  const { current, previous } = sealed
  return [
    await keyring.unseal(db, secretPlace(companyId, id, 'sealed'), current),
    ...(previous ? [await keyring.unseal(db, secretPlace(companyId, id, 'previous_sealed'), previous)] : []),
  ]
}

/** Sends deliveries in parallel; at least one round of them, and none once `isOver`. */
async function sideBySide(
  due: readonly store.Due[],
  send: (delivery: store.Due) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  const waiting = due.values()
  const lane = async () => {
    for (const delivery of waiting) {
      await send(delivery)
      if (isOver()) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, due.length) }, lane))
}

/** Makes one attempt at a delivery, and records its outcome. */
export async function attempt(
  parts: Sending,
  target: Pick<store.Target, 'url' | 'failures'>,
  secrets: readonly string[],
  delivery: store.Due,
): Promise<void> {
  const began = performance.now()
  const sent = await post(parts.outbound, target.url, secrets, delivery)
  const duration = Math.round(performance.now() - began)
  const failures = delivery.attempts + 1
  const isDelivered = sent.failure === null
  const isLast = delivery.endsSeconds <= duration / 1000 || sent.isGone
  const pause = Math.min(pauseAfter(failures, sent.retryAfter), Math.max(1, delivery.endsSeconds))
  await store.recordAttempt(parts.db, delivery, {
    isDelivered,
    again: isLast ? null : pause,
    responseStatus: sent.status,
    responseBody: sent.body,
    duration,
    failure: sent.failure,
    hold: isDelivered ? 0 : holdAfter(target.failures + 1),
    disabledReason: sent.isGone ? 'The endpoint answered 410 Gone' : null,
  })
}

type Sent = {
  status: number | null
  body: string | null
  failure: string | null
  retryAfter: number | null
  isGone: boolean
}

async function post(outbound: Outbound, url: string, secrets: readonly string[], delivery: store.Due): Promise<Sent> {
  const body = JSON.stringify(delivery.message)
  const headers = headersOf(secrets, eventIdOf(delivery), Math.floor(Date.now() / 1000), body)
  try {
    return read(await outbound.call(url, { method: 'POST', headers, body, largest: LARGEST_ANSWER, timeout: TIMEOUT }))
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    return { status: null, body: null, failure: error.message, retryAfter: null, isGone: false }
  }
}

function read({ status, headers, body }: OutboundAnswer): Sent {
  const isDelivered = status >= 200 && status < 300
  return {
    status,
    body: body.toString('utf8').slice(0, KEPT_ANSWER).toWellFormed().replaceAll('\0', '\ufffd'),
    failure: isDelivered ? null : `The endpoint answered ${status}`,
    retryAfter: readRetryAfter(headers['retry-after'], Date.now()),
    isGone: status === 410,
  }
}

/** The header webhook-id: that of the event, the same for every attempt and replay. */
const eventIdOf = ({ id, sequence }: Pick<store.Due, 'id' | 'sequence'>): string =>
  sequence === 0 ? `test_${id}` : `evt_${sequence}`
