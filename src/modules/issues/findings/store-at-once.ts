// The SQL that writes outcomes that were decided without a lock, provided that nothing has changed since.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../core/db/open.ts'
import { runTogether } from '../../../core/db/together.ts'
import type { Id } from '../../../core/ids.ts'
import { isAsRead, type Sought } from './store-sought.ts'
import { isSpokenOf } from './store-twins.ts'
import { type FindingWrite, type Written, writingOf, writtenOf } from './store-write.ts'

/** The write for one report, and what must be unchanged since it was read: see isAsRead and isSpokenOf. */
export type AtOnce = {
  write: Omit<FindingWrite, 'n'>
  /** the result of lockKeysOf */
  lockKeys: readonly string[]
  sought: Sought
  versions: readonly string[]
  spoken: { cweIds: readonly number[]; detail: object } | null
}

/** For rows related to findings, in a table `row` with the same numbers: true if the finding was written. */
export const isWritten: RawBuilder<boolean> = sql`exists (select from target where target.n = row.n)`

/**
 * Takes the locks and writes what is unchanged since it was read, in one transaction and one round trip. Returns what was written, by index in
 * `all`. Skips what somebody else has changed or locked, and never waits. No two of `all` may share a lock.
 */
export async function writeAtOnce(
  db: Db,
  companyId: Id,
  authorId: Id,
  all: readonly AtOnce[],
  beside: RawBuilder<unknown> | undefined,
): Promise<Written[]> {
  const rows = all.map(({ write }, n) => ({ ...write, n }))
  return writtenOf(
    await runTogether(db, [
      holding(companyId, all),
      writingOf(companyId, authorId, [], rows, isStill(companyId, all), { beside, waits: false }),
    ]),
  )
}

/**
 * Takes the free ones of each entry's locks, and records in a setting of the transaction which entries have all of theirs. A separate
 * statement must follow, because only that sees what was committed before a lock was taken.
 */
function holding(companyId: Id, all: readonly AtOnce[]): RawBuilder<unknown> {
  const keys = all.flatMap(({ write, lockKeys }, n) => lockKeys.map((key) => ({ n, key, assetId: write.assetId })))
  return sql`
    with held as materialized (
      select id from asset where company_id = ${companyId} and id = any(${keys.map(({ assetId }) => assetId)}::bigint[])
      for share skip locked)
    select set_config('merlon.held', coalesce(string_agg(n::text, ','), ''), true)
    from (
      select n from unnest(${keys.map(({ n }) => String(n))}::int[], ${keys.map(({ assetId }) => assetId)}::bigint[],
        ${keys.map(({ key }) => key)}::bigint[]) as asked (n, "assetId", key)
      where "assetId" in (select id from held)
      group by n having bool_and(pg_try_advisory_xact_lock(key))) as free`
}

function isStill(companyId: Id, all: readonly AtOnce[]): RawBuilder<boolean> {
  const asked = all.map(({ write, sought, versions, spoken }, n) => ({
    n,
    assetId: write.assetId,
    ...sought,
    versions: versions.toSorted(),
    ...spoken,
  }))
  const isUnspoken = all.some(({ spoken }) => spoken) ? sql`and not ${isSpokenOf(companyId)}` : sql``
  return sql`exists (
    select from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (n int, "assetId" bigint, type issue_type, rule text,
      "toolId" text, fingerprint text, "partialFingerprint" text, path text, "snippetHash" bigint, versions text[], "cweIds" int[],
      detail jsonb)
    where asked.n = given.n and asked.n = any(string_to_array(current_setting('merlon.held'), ',')::int[])
      and (select max(id) from deploy where company_id = ${companyId} and asset_id = given."assetId")
        is not distinct from given."newestDeployId"
      and ${isAsRead(companyId)} ${isUnspoken})`
}
