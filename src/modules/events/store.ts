// The SQL of ordered events, read from a given position on.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

/** An event as subscribers see it; `sequence` is its position among all events. */
export type Event = {
  companyId: Id
  sequence: number
  at: string
  kind: string
  objectId: Id
  data: Record<string, unknown>
}

const columns = sql`company_id as "companyId", sequence::float8 as sequence, at, kind, object_id as "objectId", data`

/** Events of a company after one position and up to another, in order, optionally of these kinds (`issue.*`, `*`). */
export async function listEvents(
  db: Db,
  companyId: Id,
  { after, upTo = null, kinds, most }: { after: number; upTo?: number | null; kinds: readonly string[]; most: number },
): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select ${columns} from event
    where company_id = ${companyId} and sequence > ${after} and (${upTo}::bigint is null or sequence <= ${upTo}::bigint)
      and (kind = any(${kinds}::text[]) or split_part(kind, '.', 1) || '.*' = any(${kinds}::text[]) or '*' = any(${kinds}::text[]))
    order by sequence limit ${most}`.execute(db)
  return rows
}

/** The condition of lastingKinds, spelled as in the partial index. */
const isLasting = sql<boolean>`kind in ('deploy.gate_blocked', 'deploy.gate_passed', 'integration.broken', 'integration.restored')`

/** The events of lasting kinds since a time, newest first. */
export async function listLasting(
  db: Db,
  companyId: Id,
  { since, kinds, most }: { since: string; kinds: readonly string[]; most: number },
): Promise<Event[]> {
  const { rows } = await sql<Event>`
    select ${columns} from event
    where company_id = ${companyId} and ${isLasting} and kind = any(${kinds}::text[]) and at >= ${since}::timestamptz
    order by sequence desc limit ${most}`.execute(db)
  return rows
}

/** The positions of the company's last event and of the last deleted one; 0 for none. */
export async function findBounds(db: Db, companyId: Id): Promise<{ end: number; horizon: number }> {
  const { rows } = await sql<{ end: number; horizon: number }>`
    select coalesce((select max(sequence) from event where company_id = ${companyId}), 0)::float8 as end,
      coalesce((select sequence from event_horizon where company_id = ${companyId}), 0)::float8 as horizon`.execute(db)
  return rows[0] ?? { end: 0, horizon: 0 }
}

/** An event written by the application instead of a trigger, in the transaction of the change. */
export type NewEvent = { companyId: Id; kind: string; objectId: Id; data: Record<string, unknown> }

export async function insertOutbox(trx: Trx, { companyId, kind, objectId, data }: NewEvent): Promise<void> {
  await sql`insert into outbox (company_id, kind, object_id, data)
    values (${companyId}, ${kind}, ${objectId}, ${JSON.stringify(data)}::jsonb)`.execute(trx)
}

/**
 * Deletes up to `most` expired events (lasting kinds expire later), and records where each company's events now begin. Returns their
 * number.
 */
export async function deleteOldEvents(db: Db, days: number, lastingDays: number, most: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with old as materialized (
      select company_id, sequence from event where relayed_at < now() - make_interval(days => ${days})
        and (not ${isLasting} or relayed_at < now() - make_interval(days => ${lastingDays})) limit ${most}),
    gone as (
      delete from event using old where event.company_id = old.company_id and event.sequence = old.sequence
      returning event.company_id, event.sequence),
    noted as (
      insert into event_horizon (company_id, sequence) select company_id, max(sequence) from (
        select company_id, sequence from gone
        union all select company_id, sequence from event where ${isLasting} and relayed_at < now() - make_interval(days => ${days})) as passed
      group by company_id
      on conflict (company_id) do update set sequence = greatest(event_horizon.sequence, excluded.sequence))
    select count(*)::int as deleted from gone`.execute(db)
  return rows[0]?.deleted ?? 0
}
