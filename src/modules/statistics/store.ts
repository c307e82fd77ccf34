// The SQL of figures: counts of current records, and of earlier times from the history of issues. It only reads.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { type Condition, slaState } from '../issues/service.ts'
import type { Change } from './counts.ts'

const matching = (companyId: Id, conditions: readonly Condition[]): RawBuilder<boolean> =>
  sql.join([sql`issue.company_id = ${companyId}`, ...conditions], sql` and `)

const facets = {
  severity: sql`severity`,
  status: sql`status`,
  type: sql`type`,
  isKnownExploited: sql`is_known_exploited as "isKnownExploited"`,
  slaState: sql`sla_state as "slaState"`,
} as const

export type Facet = keyof typeof facets

/** The number of issues with these values. */
export type Group = Partial<Record<Facet, string | boolean | null>> & { count: number }

/** The number of issues with each combination of the facets' values, among those that meet the conditions; without a facet, their total. */
export async function countBy(
  db: Db,
  companyId: Id,
  conditions: readonly Condition[],
  by: readonly Facet[],
): Promise<Group[]> {
  const places = by.map((_, place) => sql.lit(place + 1))
  const { rows } = await sql<Group>`
    select ${sql.join([...by.map((facet) => facets[facet]), sql`count(*)::int as count`])}
    from (select issue.*, ${slaState} as sla_state from issue where ${matching(companyId, conditions)}) as counted
    ${by.length > 0 ? sql`group by ${sql.join(places)}` : sql``}`.execute(db)
  return rows
}

const isOpen = (status: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`coalesce(${status} in (${sql.join(openStatuses.map((name) => sql.lit(name)))}), false)`

/** True for an event that opened its issue. */
export const opens = sql<boolean>`(${isOpen(sql`event.status`)} and not ${isOpen(sql`event.previous_status`)})`
/** True for an event that closed its issue. */
export const closes = sql<boolean>`(${isOpen(sql`event.previous_status`)} and not ${isOpen(sql`event.status`)})`

/**
 * True for the kinds of event that set or change the status of an issue. A status in other events is no change. Neither is a decision
 * imported with the issue from another installation, which has no previous status.
 */
export const tellsStatus = sql<boolean>`(event.action in ('CREATED', 'SPLIT_OFF')
  or event.action in ('STATUS_CHANGED', 'SPLIT') and event.previous_status is not null)`

/** The events that opened or closed issues, with their issues. */
const changing = (companyId: Id, conditions: readonly Condition[], until: string) => sql`
  issue_event as event join issue on issue.company_id = event.company_id and issue.id = event.issue_id
  where event.company_id = ${companyId} and ${matching(companyId, conditions)} and event.at < ${until}::timestamptz
    and ${tellsStatus} and (${opens} or ${closes})`

/** How many issues were opened and closed before the first start, and in each interval from one start to the next. */
export async function countChanges(
  db: Db,
  companyId: Id,
  conditions: readonly Condition[],
  starts: readonly string[],
  until: string,
): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select width_bucket(event.at, ${starts}::timestamptz[]) as bucket, issue.severity,
           (count(*) filter (where ${opens}))::int as opened, (count(*) filter (where ${closes}))::int as closed
    from ${changing(companyId, conditions, until)} group by 1, 2`.execute(db)
  return rows
}

type AssetChange = Change & { assetId: Id }

/** As countChanges, for each asset. */
export async function countChangesByAsset(
  db: Db,
  companyId: Id,
  starts: readonly string[],
  until: string,
): Promise<AssetChange[]> {
  const { rows } = await sql<AssetChange>`
    select width_bucket(event.at, ${starts}::timestamptz[]) as bucket, issue.severity, issue.asset_id as "assetId",
           (count(*) filter (where ${opens}))::int as opened, (count(*) filter (where ${closes}))::int as closed
    from ${changing(companyId, [], until)} group by 1, 2, 3`.execute(db)
  return rows
}

export type Repair = { bucket: number; severity: SeverityCategory; count: number; seconds: number }

/** The number of issues fixed in each interval, and the sum of the times for which they had been open. */
export async function sumRepairs(
  db: Db,
  companyId: Id,
  conditions: readonly Condition[],
  starts: readonly string[],
  until: string,
): Promise<Repair[]> {
  const { rows } = await sql<Repair>`
    select width_bucket(at, ${starts}::timestamptz[]) as bucket, severity, count(*)::int as count,
           sum(extract(epoch from at - opened_at))::float8 as seconds
    from (
      select event.at, issue.severity, ${closes} and event.status = 'FIX_ACCEPTED' as is_fixed,
             max(event.at) filter (where ${opens}) over (partition by event.issue_id order by event.at, event.id) as opened_at
      from ${changing(companyId, conditions, until)}) as changed
    where is_fixed and opened_at is not null and at >= ${starts[0]}::timestamptz
    group by 1, 2`.execute(db)
  return rows
}

export type TitleCounts = {
  title: string
  totalCount: number
  criticalCount: number
  highCount: number
  mediumCount: number
  lowCount: number
  notificationCount: number
  affectedAssetsCount: number
}

const ofSeverity = (severity: SeverityCategory) =>
  sql`(count(*) filter (where issue.severity = ${sql.lit(severity)}))::int`

/** The most frequent titles of the issues that meet the conditions. */
export async function countByTitle(
  db: Db,
  companyId: Id,
  conditions: readonly Condition[],
  most: number,
): Promise<TitleCounts[]> {
  const { rows } = await sql<TitleCounts>`
    select issue.title, count(*)::int as "totalCount", ${ofSeverity('CRITICAL')} as "criticalCount",
           ${ofSeverity('HIGH')} as "highCount", ${ofSeverity('MEDIUM')} as "mediumCount", ${ofSeverity('LOW')} as "lowCount",
           ${ofSeverity('NOTIFICATION')} as "notificationCount", count(distinct issue.asset_id)::int as "affectedAssetsCount"
    from issue where ${matching(companyId, conditions)}
    group by issue.title order by count(*) desc, issue.title collate "C" limit ${most}`.execute(db)
  return rows
}

export async function listImpacts(db: Db, companyId: Id): Promise<{ id: Id; businessImpact: string }[]> {
  const { rows } = await sql<{ id: Id; businessImpact: string }>`
    select id, business_impact as "businessImpact" from asset where company_id = ${companyId}`.execute(db)
  return rows
}

export type ScanCounts = { assetsWithScans: number; assetsWithoutScans: number; consideredScans: number }

/** A report without a run counts as a run; a bill of materials does not. */
export async function countScans(db: Db, companyId: Id): Promise<ScanCounts> {
  const { rows } = await sql<ScanCounts>`
    select (count(*) filter (where runs > 0))::int as "assetsWithScans",
           (count(*) filter (where runs = 0))::int as "assetsWithoutScans", coalesce(sum(runs), 0)::int as "consideredScans"
    from (
      select (select count(*) from scan where scan.company_id = asset.company_id and scan.asset_id = asset.id
              and scan.status <> 'CANCELED')
           + (select count(*) from import where import.company_id = asset.company_id and import.asset_id = asset.id
              and import.status = 'SUCCEEDED' and import.scan_id is null
              and not coalesce((import.asked ->> 'replacesComponents')::boolean, false)) as runs
      from asset where asset.company_id = ${companyId}) as scanned`.execute(db)
  return rows[0] ?? { assetsWithScans: 0, assetsWithoutScans: 0, consideredScans: 0 }
}
