// The SQL of exact repeats: everything in the report is known, and only the time when it was last seen changes.

import { type RawBuilder, sql } from 'kysely'
import { anyList } from '../../../core/db/any-list.ts'
import type { Db, Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import { oneOf } from './store-known.ts'

/** A report by the values of reportKeyOf and reportAskOf, with its asset and run. */
export type RepeatAsk = { assetId: Id; scanId: Id | null; reportKey: string; reportAsk: string }

/** `issue` is the finding's issue. */
export type Repeated = { issue: IssueRecord; findingId: Id; isShared: boolean; branch: string }

type Row = IssueRecord & Omit<Repeated, 'issue'> & { n: string }

/**
 * Records each report as repeated if it equals its finding's last report, and the issue and the asset's deploys are unchanged since. Null if
 * that is not so, or if somebody has locked the finding's place; it never waits. `columns` are the columns of the issue to return. One
 * statement, in which each step is an index lookup of its own (`offset 0`).
 */
export async function repeatReports(
  db: Db | Trx,
  companyIds: readonly Id[],
  asks: readonly RepeatAsk[],
  columns: RawBuilder<unknown>,
): Promise<(Repeated | null)[]> {
  const listed = (name: keyof RepeatAsk) => asks.map((ask) => ask[name])
  const { rows } = await sql<Row>`
    with said as materialized (
      select asked.n, asked."scanId", place.company_id, place.id, place.issue_id
      from unnest(${anyList('text', listed('reportKey'))}, ${anyList('bigint', listed('reportAsk'))},
        ${anyList('bigint', listed('assetId'))}, ${anyList('bigint', listed('scanId'))})
        with ordinality as asked (key, ask, "assetId", "scanId", n)
      cross join lateral (
        select company_id, id, issue_id from occurrence
        where ${oneOf('company_id', 'bigint', companyIds)} and report_key = decode(asked.key, 'hex') and report_ask = asked.ask
          and asset_id = asked."assetId" and is_open
          and report_deploy_id is not distinct from (
            select max(id) from deploy where company_id = occurrence.company_id and asset_id = asked."assetId")
          and (asked."scanId" is null or exists (
            select from scan where company_id = occurrence.company_id and asset_id = asked."assetId" and id = asked."scanId"))
        for no key update skip locked) as place)
    update occurrence set last_seen_at = now(), last_scan_id = coalesce(said."scanId", last_scan_id)
    from said
    cross join lateral (
      select company_id, id, updated_at, merged_into_id, witnesses from finding
      where company_id = said.company_id and id = said.issue_id offset 0) as own
    cross join lateral (
      select * from finding where company_id = own.company_id and id = coalesce(own.merged_into_id, own.id) offset 0) as issue
    where occurrence.company_id = said.company_id and occurrence.id = said.id and own.updated_at = report_at
    returning said.n, ${columns}, own.id as "findingId", own.merged_into_id is not null or own.witnesses > 0 as "isShared", branch`.execute(
    db,
  )
  const repeated: (Repeated | null)[] = asks.map(() => null)
  for (const { n, branch, findingId, isShared, ...issue } of rows) {
    repeated[Number(n) - 1] = { issue, findingId, isShared, branch }
  }
  return repeated
}
