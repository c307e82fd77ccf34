// The SQL of figures of earlier times, from the history of issues. It only reads.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue, openStatuses } from '../../core/db/open-issues.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { type Condition, conditionsOf, type IssueFilters, isTallied } from '../issues/service.ts'
import type { Change } from './counts.ts'
import { matching } from './store-counts.ts'

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

/**
 * The events with a status that are such. For all issues of a company they come in the order of the issues, which are joined to them: read
 * at random, these take twice as long. For some of the issues the planner may start from those.
 */
const eventsOf = (companyId: Id, areSuch: RawBuilder<unknown>, conditions: readonly Condition[]) => sql`
  (select * from issue_event as event where event.company_id = ${companyId} and ${tellsStatus} and ${areSuch}
    ${conditions.length === 0 ? sql`order by event.issue_id offset 0` : sql``})`

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
  const changes = sql`event.at >= ${limits[0]}::timestamptz and (${opens} or ${closes})`
  const columns = sql.join(Object.values(by))
  const named = sql.join(Object.entries(by).map(([name, column]) => sql`${column} as ${sql.ref(name)}`))
  const standing = isTallied(filters)
    ? sql`select ${columns}, sum(count) as more from finding_tally as issue`
    : sql`select ${columns}, count(*) as more from issue`
  const { rows } = await sql<Row>`
    with changed as materialized (
      select width_bucket(event.at, ${limits}::timestamptz[]) as bucket, ${columns},
             count(*) filter (where ${opens}) as opened, count(*) filter (where ${closes}) as closed
      from ${eventsOf(companyId, changes, conditions)} as event
      join issue on issue.company_id = ${companyId} and issue.id = event.issue_id where ${matching(companyId, conditions)}
      group by bucket, ${columns}
    ), past as (
      ${standing} where ${matching(companyId, conditions)} and ${isOpenIssue} group by ${columns}
      union all select ${columns}, closed - opened from changed
    )
    select 0 as bucket, ${named}, sum(more)::int as opened, 0 as closed from past group by ${columns}
    union all select bucket, ${columns}, opened::int, closed::int from changed where bucket < ${limits.length}`.execute(
    db,
  )
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
  const [first, until] = [sql`${limits[0]}::timestamptz`, sql`${limits.at(-1)}::timestamptz`]
  const fixes = sql`event.at >= ${first} and event.at < ${until} and event.status = 'FIX_ACCEPTED' and ${closes}`
  const { rows } = await sql<Repair>`
    select width_bucket(fixed.at, ${limits}::timestamptz[]) as bucket, issue.severity, count(*)::int as count,
           sum(extract(epoch from fixed.at - opening.at))::float8 as seconds
    from ${eventsOf(companyId, fixes, conditions)} as fixed
    join issue on issue.company_id = ${companyId} and issue.id = fixed.issue_id
    cross join lateral (
      select max(event.at) as at from issue_event as event
      where event.company_id = ${companyId} and event.issue_id = fixed.issue_id and ${tellsStatus} and ${opens}
        and (event.at, event.id) < (fixed.at, fixed.id)) as opening
    where ${matching(companyId, conditions)} and opening.at is not null
    group by 1, 2`.execute(db)
  return rows
}
