// The SQL of a company's list of assets: its filters and orders.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import { boundedCount, newestFirst, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { riskPoints, severities } from './risk-score.ts'
import { type Asset, columns } from './store.ts'

/** A list matches any of its entries, except tags, which must all match. Null and undefined are no filter. */
export type AssetSearch = {
  ids?: readonly Id[] | null
  name?: string | null
  tags?: readonly string[] | null
  assetType?: readonly string[] | null
  audience?: readonly string[] | null
  businessImpact?: readonly string[] | null
  dataClassification?: readonly string[] | null
  exploitability?: readonly string[] | null
  lifeCycle?: readonly string[] | null
  scanType?: readonly string[] | null
  threat?: readonly string[] | null
  environmentCompromised?: boolean | null
  repoUrl?: string | null
  applicationId?: Id | null
  projectId?: Id | null
}

export type AssetOrder = { by: keyof typeof sortKeys; direction: 'asc' | 'desc' }

const oneOf = {
  assetType: 'asset_type',
  audience: 'audience',
  businessImpact: 'business_impact',
  exploitability: 'exploitability',
  lifeCycle: 'life_cycle',
  scanType: 'scan_type',
  threat: 'threat',
} as const

const openIssues = sql`select from issue where issue.company_id = asset.company_id and issue.asset_id = asset.id and ${isOpenIssue}`

const pointsOf = sql.join(
  severities.map((severity) => sql`when ${sql.lit(severity)} then ${sql.lit(riskPoints[severity])}`),
  sql` `,
)

const sortKeys = {
  id: sql`id`,
  name: sql`lower(name)`,
  updated_at: sql`updated_at`,
  business_impact: sql`array_position(array['NOT_DEFINED', 'LOW', 'MEDIUM', 'HIGH'], business_impact)`,
  risk_score: sql`(
    select coalesce(sum(count * case severity ${pointsOf} end), 0) from finding_tally as issue
    where issue.company_id = asset.company_id and issue.asset_id = asset.id and ${isOpenIssue})`,
} as const satisfies Record<string, RawBuilder<unknown>>

export async function listAssets(
  db: Db,
  companyId: Id,
  page: PageRequest,
  search: AssetSearch,
  order: AssetOrder | null,
): Promise<Page<Asset>> {
  let assets = db.selectFrom('asset').select(columns).where('company_id', '=', companyId)
  for (const condition of conditionsOf(companyId, search)) assets = assets.where(condition)
  if (order === null) return newestFirst(db, assets, page, 'asset.id')
  const rows = await assets
    .orderBy(sortKeys[order.by], order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return pageOf(page, rows, await boundedCount(db, assets, rows.length, page), ({ id }) => [id])
}

function conditionsOf(companyId: Id, search: AssetSearch): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  const { ids, name, tags, dataClassification, environmentCompromised, repoUrl, applicationId, projectId } = search
  if (ids) conditions.push(sql`id = any(${ids}::bigint[])`)
  if (name) conditions.push(sql`strpos(lower(name), ${name.toLowerCase()}) > 0`)
  if (tags?.length) conditions.push(sql`tags @> ${tags}::text[]`)
  if (dataClassification?.length) conditions.push(sql`data_classification && ${dataClassification}::text[]`)
  if (repoUrl) conditions.push(sql`repo_url = ${repoUrl}`)
  for (const field of [
    'assetType',
    'audience',
    'businessImpact',
    'exploitability',
    'lifeCycle',
    'scanType',
    'threat',
  ] as const) {
    const wanted = search[field]
    if (wanted?.length) conditions.push(sql`${sql.ref(oneOf[field])} = any(${wanted}::text[])`)
  }
  if (environmentCompromised !== null && environmentCompromised !== undefined) {
    conditions.push(
      sql`(environment_compromised or exists (${openIssues} and compromised_environment)) = ${environmentCompromised}`,
    )
  }
  if (applicationId) {
    conditions.push(sql`id in (
      select asset_id from application_asset where company_id = ${companyId} and application_id = ${applicationId})`)
  }
  if (projectId) {
    conditions.push(sql`id in (
      select asset_id from project_asset where company_id = ${companyId} and project_id = ${projectId})`)
  }
  return conditions
}
