// The SQL of figures of earlier times, from the history of issues. It only reads.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue, openStatuses } from '../../core/db/open-issues.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { type Condition, conditionsOf, type IssueFilters } from '../issues/service.ts'
import type { Change } from './counts.ts'
import { isTallied, matching } from './store-counts.ts'

const isOpen = (status: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`coalesce(${status} in (${sql.join(openStatuses.map((name) => sql.lit(name)))}), false)`

/** True for an event that opened its issue. */
export const opens = sql<boolean>`(${isOpen(sql`event.status`)} and not ${isOpen(sql`event.previous_status`)})`
/** True for an event that closed its issue. */
export const closes = sql<boolean>`(${isOpen(sql`event.previous_status`)} and not ${isOpen(sql`event.status`)})`

/**
 * True for the kinds of event that set or change the status of an issue. A status in other events is no change. Neither is a decision
 * imported with the issue from another installation, which has no previous status. The first part is the condition of an index.
 */
export const tellsStatus = sql<boolean>`(event.status is not null and (event.action in ('CREATED', 'SPLIT_OFF')
  or event.action in ('STATUS_CHANGED', 'SPLIT') and event.previous_status is not null))`

/** The events that opened or closed issues, with their issues. */
const changing = (companyId: Id, conditions: readonly Condition[]) => sql`
  issue_event as event join issue on issue.company_id = event.company_id and issue.id = event.issue_id
  where event.company_id = ${companyId} and ${matching(companyId, conditions)} and ${tellsStatus} and (${opens} or ${closes})`

type Limits = readonly string[]

/**
 * How many issues were opened and closed in each interval; interval 0 opens what was open before the first. `limits` are the starts of the
 * intervals, oldest first, and the end of the last. Goes back from what is open now, so that no older history is read.
 */
export const countChanges = (db: Db, companyId: Id, filters: IssueFilters, limits: Limits) =>
  countBack<Change>(db, companyId, filters, limits, { severity: sql`severity` })

type AssetChange = Change & { assetId: Id }

/** As countChanges, for each asset. */
export const countChangesByAsset = (db: Db, companyId: Id, limits: Limits) =>
  countBack<AssetChange>(db, companyId, {}, limits, { severity: sql`severity`, assetId: sql`asset_id` })

async function countBack<Row>(
  db: Db,
  companyId: Id,
  filters: IssueFilters,
  limits: Limits,
  by: Record<string, RawBuilder<unknown>>,
): Promise<Row[]> {
  const conditions = conditionsOf(companyId, filters)
  const columns = sql.join(Object.values(by))
  const named = sql.join(Object.entries(by).map(([name, column]) => sql`${column} as ${sql.ref(name)}`))
  const standing = isTallied(filters)
    ? sql`select ${columns}, sum(count) as more from finding_tally as issue`
    : sql`select ${columns}, count(*) as more from issue`
  const { rows } = await sql<Row>`
    with changed as materialized (
      select width_bucket(event.at, ${limits}::timestamptz[]) as bucket, ${columns},
             count(*) filter (where ${opens}) as opened, count(*) filter (where ${closes}) as closed
      from ${changing(companyId, conditions)} and event.at >= ${limits[0]}::timestamptz
      group by bucket, ${columns}
    ), past as (
      ${standing} where ${matching(companyId, conditions)} and ${isOpenIssue} group by ${columns}
      union all select ${columns}, closed - opened from changed
    )
    select 0 as bucket, ${named}, sum(more)::int as opened, 0 as closed from past group by ${columns}
    union all select bucket, ${columns}, opened::int, closed::int from changed where bucket < ${limits.length}`.execute(db)
  return rows
}

export type Repair = { bucket: number; severity: SeverityCategory; count: number; seconds: number }

/** The number of issues fixed in each interval, and the sum of the times for which they had been open; `limits` as for countChanges. */
export async function sumRepairs(
  db: Db,
  companyId: Id,
  conditions: readonly Condition[],
  limits: Limits,
): Promise<Repair[]> {
  const { rows } = await sql<Repair>`
    select width_bucket(at, ${limits}::timestamptz[]) as bucket, severity, count(*)::int as count,
           sum(extract(epoch from at - opened_at))::float8 as seconds
    from (
      select event.at, issue.severity, ${closes} and event.status = 'FIX_ACCEPTED' as is_fixed,
             max(event.at) filter (where ${opens}) over (partition by event.issue_id order by event.at, event.id) as opened_at
      from ${changing(companyId, conditions)} and event.at < ${limits.at(-1)}::timestamptz) as changed
    where is_fixed and opened_at is not null and at >= ${limits[0]}::timestamptz
    group by 1, 2`.execute(db)
  return rows
}
