// The SQL of figures of titles, assets and scans. It only reads.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { Condition } from '../issues/service.ts'
import { matching } from './store-counts.ts'

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
      from asset where asset.company_id = ${companyId} offset 0) as scanned`.execute(db)
  return rows[0] ?? { assetsWithScans: 0, assetsWithoutScans: 0, consideredScans: 0 }
}
