// The SQL of notices: those waiting to be sent on channels, and those that were sent.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { Sealed } from '../../core/keyring.ts'
import type { ChannelType, Topic } from './store-channels.ts'

/** What sending needs of a channel; null for a deleted or disabled one. */
export type Speaker = {
  companyId: Id
  id: Id
  type: ChannelType
  companyName: string
  failures: number
  heldSeconds: number
} & Sealed

export async function findSpeaker(db: Db, companyId: Id, id: Id): Promise<Speaker | null> {
  const { rows } = await sql<Speaker>`
    select channel.company_id as "companyId", channel.id, type, company.label as "companyName", failures, sealed as bytes,
      key_version as "keyVersion", greatest(0, coalesce(extract(epoch from held_until - now()), 0))::float8 as "heldSeconds"
    from notification_channel as channel join company on company.id = channel.company_id
    where channel.company_id = ${companyId} and channel.id = ${id} and is_enabled`.execute(db)
  return rows[0] ?? null
}

/** Something to tell the readers of a channel. */
export type Notice = {
  id: Id
  topic: Topic
  severity: SeverityCategory | null
  message: { type: string; data: Record<string, unknown> }
}

/** The waiting notices, the worst of each topic first, up to `most`. */
export async function listWaiting(
  db: Db,
  { companyId, id }: Pick<Speaker, 'companyId' | 'id'>,
  isDigest: boolean,
  most: number,
): Promise<Notice[]> {
  const { rows } = await sql<Notice>`
    select id, topic, severity, message from notification
    where company_id = ${companyId} and channel_id = ${id} and is_digest = ${isDigest}
    order by topic, severity desc nulls last, id limit ${most}`.execute(db)
  return rows
}

/** Counts the waiting notices by topic; `last` is the id of the newest one counted. */
export async function countWaiting(db: Db, { companyId, id }: Pick<Speaker, 'companyId' | 'id'>, isDigest: boolean) {
  const { rows } = await sql<{ topic: Topic; count: number; last: Id }>`
    select topic, count(*)::int as count, max(max(id)) over () as last from notification
    where company_id = ${companyId} and channel_id = ${id} and is_digest = ${isDigest} group by topic order by topic`.execute(
    db,
  )
  return rows
}

/** Deletes the notices that were sent. */
export async function recordSent(
  db: Db,
  { companyId, id }: Pick<Speaker, 'companyId' | 'id'>,
  isDigest: boolean,
  last: Id,
): Promise<void> {
  await sql`
    with gone as (
      delete from notification where company_id = ${companyId} and channel_id = ${id} and is_digest = ${isDigest} and id <= ${last})
    update notification_channel set failures = 0, held_until = null, last_failure = null, last_sent_at = now()
    where company_id = ${companyId} and id = ${id}`.execute(db)
}

export async function recordFailure(
  db: Db,
  { companyId, id }: Pick<Speaker, 'companyId' | 'id'>,
  failure: string,
  hold: number,
): Promise<void> {
  await sql`
    update notification_channel set failures = failures + 1, held_until = now() + make_interval(secs => ${hold}),
      last_failure = ${failure}
    where company_id = ${companyId} and id = ${id}`.execute(db)
}

/** A test that fails holds back nothing that waits; one that succeeds ends a hold, because the destination answers again. */
export async function recordTest(
  db: Db,
  { companyId, id }: Pick<Speaker, 'companyId' | 'id'>,
  failure: string | null,
): Promise<void> {
  const outcome =
    failure === null
      ? sql`failures = 0, held_until = null, last_failure = null, last_sent_at = now()`
      : sql`last_failure = ${failure}`
  await sql`update notification_channel set ${outcome} where company_id = ${companyId} and id = ${id}`.execute(db)
}

/** Channels with something for the digest of this hour of the day, UTC. */
export async function findDigests(db: Db): Promise<{ companyId: Id; id: Id }[]> {
  const { rows } = await sql<{ companyId: Id; id: Id }>`
    select company_id as "companyId", id from notification_channel as channel
    where is_enabled and digest_hour = extract(hour from now() at time zone 'UTC') and exists (
      select from notification where notification.company_id = channel.company_id and channel_id = channel.id and is_digest)`.execute(
    db,
  )
  return rows
}

/** Deletes notices that could not be sent for so many hours. */
export async function deleteUntold(db: Db, hours: number): Promise<void> {
  await sql`delete from notification where created_at < now() - make_interval(hours => ${hours})`.execute(db)
}
