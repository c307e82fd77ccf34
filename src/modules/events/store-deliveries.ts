// The SQL of deliveries: which are due, the outcome of each attempt, and their log.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'GIVEN_UP'

export type Delivery = {
  companyId: Id
  id: Id
  webhookId: Id
  sequence: number
  kind: string
  objectId: Id
  state: DeliveryState
  attempts: number
  nextAttemptAt: string | null
  lastAttemptAt: string | null
  responseStatus: number | null
  responseBody: string | null
  duration: number | null
  failure: string | null
  createdAt: string
  finishedAt: string | null
}

const columns = [
  'company_id as companyId',
  'id',
  'webhook_id as webhookId',
  sql<number>`sequence::float8`.as('sequence'),
  'kind',
  'object_id as objectId',
  sql<DeliveryState>`state`.as('state'),
  'attempts',
  sql<string | null>`case when state = 'PENDING' then next_attempt_at end`.as('nextAttemptAt'),
  'last_attempt_at as lastAttemptAt',
  'response_status as responseStatus',
  'response_body as responseBody',
  'duration',
  'failure',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const

export async function listDeliveries(
  db: Db,
  companyId: Id,
  webhookId: Id | null,
  states: readonly DeliveryState[] | null,
  page: PageRequest,
): Promise<Page<Delivery>> {
  let query = db.selectFrom('webhook_delivery').select(columns).where('company_id', '=', companyId)
  if (webhookId !== null) query = query.where('webhook_id', '=', webhookId)
  if (states !== null) query = query.where(sql<boolean>`state = any(${states}::text[])`)
  return newestFirst(db, query, page, 'webhook_delivery.id')
}

/** What sending to a webhook needs to know. */
export type Target = { companyId: Id; id: Id; url: string; failures: number; heldSeconds: number }

/** Null for a deleted or disabled webhook. `heldSeconds`: nothing is to be sent for so long. */
export async function findTarget(db: Db, companyId: Id, id: Id): Promise<Target | null> {
  const { rows } = await sql<Target>`
    select company_id as "companyId", id, url, failures,
      greatest(0, coalesce(extract(epoch from held_until - now()), 0))::float8 as "heldSeconds"
    from webhook where company_id = ${companyId} and id = ${id} and is_enabled`.execute(db)
  return rows[0] ?? null
}

export type Due = Pick<Delivery, 'companyId' | 'id' | 'webhookId' | 'sequence' | 'kind' | 'objectId' | 'attempts'> & {
  message: unknown
  waitSeconds: number
  /** seconds until it is given up */
  endsSeconds: number
}

/** How many waiting deliveries are searched for the first one of each object. */
const LOOKED_AT = 1_000

/**
 * The first waiting delivery of each object, in the order of events; the object's later ones wait until it is delivered or given up.
 * `waitSeconds` is above 0 if its next attempt is not due yet.
 */
export async function listHeads(db: Db, { companyId, id }: Target, most: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select * from (
      select distinct on (split_part(kind, '.', 1), object_id) company_id as "companyId", id, webhook_id as "webhookId",
        sequence::float8 as sequence, kind, object_id as "objectId", attempts, message,
        extract(epoch from next_attempt_at - now())::float8 as "waitSeconds",
        extract(epoch from ends_at - now())::float8 as "endsSeconds"
      from (
        select * from webhook_delivery where company_id = ${companyId} and webhook_id = ${id} and state = 'PENDING'
        order by id limit ${LOOKED_AT}) as waiting
      order by split_part(kind, '.', 1), object_id, sequence, id) as head
    order by greatest("waitSeconds", 0), id limit ${most}`.execute(db)
  return rows
}

/** The outcome of an attempt. `again`: seconds until the next attempt, null if this was the last. */
type Attempt = {
  isDelivered: boolean
  again: number | null
  responseStatus: number | null
  responseBody: string | null
  duration: number
  failure: string | null
  /** seconds for which nothing is sent to the webhook */
  hold: number
  disabledReason: string | null
}

/** Records an attempt, the resulting state of the webhook, and the event about it, in one statement. */
export async function recordAttempt(db: Db, due: Due, attempt: Attempt): Promise<void> {
  const { companyId, id, webhookId, sequence } = due
  const state = attempt.isDelivered ? 'DELIVERED' : attempt.again === null ? 'GIVEN_UP' : 'PENDING'
  const told = { DELIVERED: 'delivery.delivered', GIVEN_UP: 'delivery.given_up', PENDING: 'delivery.failed' }[state]
  await sql`
    with attempted as (
      update webhook_delivery set state = ${state}, attempts = attempts + 1, last_attempt_at = now(),
        next_attempt_at = now() + make_interval(secs => ${attempt.again ?? 0}),
        response_status = ${attempt.responseStatus}::int, response_body = ${attempt.responseBody}::text,
        duration = ${attempt.duration}::int, failure = ${attempt.failure}::text,
        finished_at = case when ${state} <> 'PENDING' then now() end
      where company_id = ${companyId} and id = ${id}
      returning *),
    counted as (
      update webhook set failures = case when ${attempt.isDelivered} then 0 else failures + 1 end,
        held_until = case when ${attempt.hold}::float8 > 0 then now() + make_interval(secs => ${attempt.hold}) end,
        is_enabled = is_enabled and ${attempt.disabledReason}::text is null,
        disabled_reason = coalesce(${attempt.disabledReason}::text, disabled_reason)
      where company_id = ${companyId} and id = ${webhookId} and ${sequence > 0}::boolean
        and (failures > 0 or held_until is not null or not ${attempt.isDelivered}))
    insert into outbox (company_id, kind, object_id, data)
    select company_id, ${told}, id, jsonb_strip_nulls(jsonb_build_object('webhookId', webhook_id::text, 'eventId', 'evt_' || sequence,
      'eventKind', kind, 'attempts', attempts, 'responseStatus', response_status, 'failure', failure))
    from attempted`.execute(db)
}

export async function findDelivery(db: Db, companyId: Id, id: Id): Promise<Delivery | null> {
  const own = db.selectFrom('webhook_delivery').select(columns).where('company_id', '=', companyId).where('id', '=', id)
  return (await own.executeTakeFirst()) ?? null
}

/** A test delivery, for which no event happened; the job ignores it. */
export async function insertTest(db: Db, companyId: Id, webhookId: Id, message: object): Promise<Due> {
  const { rows } = await sql<Due>`
    insert into webhook_delivery (company_id, webhook_id, sequence, kind, object_id, message, next_attempt_at, ends_at)
    values (${companyId}, ${webhookId}, 0, 'webhook.test', ${webhookId}, ${JSON.stringify(message)}::jsonb,
      now() + interval '10 minutes', now() + interval '5 minutes')
    returning company_id as "companyId", id, webhook_id as "webhookId", 0 as sequence, kind, object_id as "objectId", attempts,
      message, 0 as "waitSeconds", 0 as "endsSeconds"`.execute(db)
  const [made] = rows
  if (!made) throw new Error('A row that is inserted is returned')
  return made
}

/** Queues again the events since a time that the webhook subscribes to, up to `most`; returns their number. */
export async function queueSince(trx: Trx, companyId: Id, webhookId: Id, since: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with queued as (
      insert into webhook_delivery (company_id, webhook_id, sequence, kind, object_id, message)
      select event.company_id, webhook.id, event.sequence, event.kind, event.object_id, jsonb_build_object('type', event.kind,
        'timestamp', to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'data', event.data)
      from webhook join event on event.company_id = webhook.company_id and event.at >= ${since}::timestamptz
        and (event.kind = any(kinds) or split_part(event.kind, '.', 1) || '.*' = any(kinds) or '*' = any(kinds))
      where webhook.company_id = ${companyId} and webhook.id = ${webhookId} and event.kind not like 'delivery.%'
      order by event.sequence limit ${most}
      returning 1)
    select count(*)::int as count from queued`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Queues these deliveries of the webhook again, as new ones; returns how many of the ids were its own. */
export async function queueAgain(trx: Trx, companyId: Id, webhookId: Id, ids: readonly Id[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with queued as (
      insert into webhook_delivery (company_id, webhook_id, sequence, kind, object_id, message)
      select company_id, webhook_id, sequence, kind, object_id, message from webhook_delivery
      where company_id = ${companyId} and webhook_id = ${webhookId} and id = any(${ids}::bigint[]) order by sequence, id
      returning 1)
    select count(*)::int as count from queued`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Those of these ids that are deliveries of the webhook. */
export async function findIds(db: Db, companyId: Id, webhookId: Id, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from webhook_delivery
    where company_id = ${companyId} and webhook_id = ${webhookId} and id = any(${ids}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Gives up deliveries of all companies that waited for too long, up to `most`; returns their number. */
export async function giveUpOverdue(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with overdue as materialized (
      select company_id, id from webhook_delivery where state = 'PENDING' and ends_at < now()
      order by company_id, webhook_id, id limit ${most} for update skip locked),
    given as (
      update webhook_delivery as delivery set state = 'GIVEN_UP', finished_at = now(),
        failure = coalesce(failure, 'It waited for what came before it')
      from overdue where delivery.company_id = overdue.company_id and delivery.id = overdue.id
      returning delivery.*),
    told as (
      insert into outbox (company_id, kind, object_id, data)
      select company_id, 'delivery.given_up', id, jsonb_strip_nulls(jsonb_build_object('webhookId', webhook_id::text,
        'eventId', 'evt_' || sequence, 'eventKind', kind, 'attempts', attempts, 'failure', failure))
      from given order by id)
    select count(*)::int as count from given`.execute(db)
  return rows[0]?.count ?? 0
}

/** Webhooks with deliveries that may be sent now. */
export async function findWaiting(db: Db): Promise<{ companyId: Id; id: Id }[]> {
  const { rows } = await sql<{ companyId: Id; id: Id }>`
    select company_id as "companyId", id from webhook
    where is_enabled and coalesce(held_until, '-infinity') <= now() and exists (
      select from webhook_delivery as delivery where delivery.company_id = webhook.company_id
        and delivery.webhook_id = webhook.id and state = 'PENDING' and next_attempt_at <= now())`.execute(db)
  return rows
}

/** Deletes deliveries that ended so many days ago, up to `most`; returns their number. */
export async function deleteFinished(db: Db, days: number, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as materialized (
      select company_id, id from webhook_delivery
      where state <> 'PENDING' and finished_at < now() - make_interval(days => ${days}) limit ${most}),
    gone as (
      delete from webhook_delivery as delivery using old
      where delivery.company_id = old.company_id and delivery.id = old.id returning 1)
    select count(*)::int as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}
