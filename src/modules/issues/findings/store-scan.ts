// The SQL that resolves the origin of a report: its asset and branch, and the deploy that was scanned.

import { type RawBuilder, sql } from 'kysely'
import { isCommit } from '../../../core/commits.ts'
import { headOf, lastBreakOf, passing } from '../../../core/db/branch-heads.ts'
import { byId } from '../../../core/db/by-id.ts'
import type { Db, Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { seenBy } from '../../access/service.ts'
import type { Viewer } from '../../context.ts'
import type { ToolRule } from './rules.ts'
import { rulesOfAsset } from './store-rules.ts'
import { hasStatements } from './store-stated.ts'

/** The origin that a report states. */
export type ScanAsk = {
  assetId: Id
  deployId: Id | null
  commitRef: string | null
  branchName: string | null
  scanId: Id | null
  projectId: Id | null
}

/** The resolved origin; companyId is null if the viewer sees no such asset. */
export type ScanRow = {
  n: number
  companyId: Id | null
  branch: string
  hasDeploy: boolean
  hasScan: boolean
  hasProject: boolean
  deployId: Id | null
  deployCommit: string | null
  isOnBranch: boolean
  /** whether that deploy arrived when its branch was already past it */
  isLate: boolean
  /** whether a deploy of the branch went through the commit, rolled back or not, and none ends at it */
  isPassed: boolean
  headId: Id | null
  headCommit: string | null
  breakId: Id | null
  breakAt: string | null
  /** the asset's newest deploy: while it is the same, so is everything above */
  newestDeployId: Id | null
  /** whether VEX documents state something about components of the asset */
  hasStatements: boolean
  /** the identity rules of the asset and its company */
  rules: ToolRule[] | null
}

/** One statement for all requests, which are numbered from 0. */
export async function findScans(db: Db | Trx, viewer: Viewer, asks: readonly ScanAsk[]): Promise<ScanRow[]> {
  return (await scansOf(viewer, asksOf(asks)).execute(db)).rows
}

const ofPlace = { companyId: sql`asset.company_id`, assetId: sql`asset.id`, branch: sql`place.branch` }

/** The statement of findScans, over a table `ask`. */
export const scansOf = (viewer: Viewer, asks: RawBuilder<unknown>): RawBuilder<ScanRow> => sql<ScanRow>`
    select ask.n, asset.company_id as "companyId", place.branch, given.id is not null as "hasDeploy",
      scan.id is not null as "hasScan", project.id is not null as "hasProject",
      coalesce(given.id, committed.id) as "deployId",
      coalesce(given.current_commit, committed.current_commit) as "deployCommit",
      coalesce(given.branch, committed.branch, '') = place.branch as "isOnBranch",
      coalesce(given.lineage, committed.lineage, '') = 'LATE' as "isLate",
      given.id is null and committed.id is null and exists (
        select from deploy_commit where ${passing(ofPlace, sql`ask."commitRef"`)}) as "isPassed",
      head.id as "headId", head.current_commit as "headCommit", gap.id as "breakId", gap.created_at as "breakAt",
      (select max(id) from deploy where company_id = asset.company_id and asset_id = asset.id) as "newestDeployId",
      ${hasStatements(sql`asset.company_id`, sql`asset.id`)} as "hasStatements",
      ${rulesOfAsset} as rules
    from ${asks}
    left join asset on ${seenBy(viewer, 'asset.company_id')} and asset.id = ask."assetId"
    left join deploy as given on given.company_id = asset.company_id and given.asset_id = asset.id
      and given.id = ask."deployId"
    left join lateral (
      select id, branch, current_commit, lineage from deploy
      where given.id is null and company_id = asset.company_id and asset_id = asset.id
        and ${isCommit(sql`current_commit`, sql`ask."commitRef"`)}
      order by branch = coalesce(ask."branchName", branch) desc, lineage = 'LATE', id desc limit 1) as committed on true
    cross join lateral (
      select coalesce(ask."branchName", given.branch, committed.branch, '') as branch) as place
    left join lateral (
      select id, current_commit from deploy where ${headOf(ofPlace)}) as head on true
    left join lateral (
      select id, created_at from deploy
      where head.id is not null and ${lastBreakOf(ofPlace)}) as gap on true
    left join scan on scan.company_id = asset.company_id and scan.asset_id = asset.id and scan.id = ask."scanId"
    left join lateral ${byId(sql`project`, sql`asset.company_id`, sql`ask."projectId"`)} as project on true
    order by ask.n`

/** The requests as a table; a single one as plain values, so that PostgreSQL can use a generic plan. */
function asksOf(asks: readonly ScanAsk[]): RawBuilder<unknown> {
  const [ask] = asks
  if (ask && asks.length === 1) {
    const { assetId, deployId, commitRef, branchName, scanId, projectId } = ask
    return sql`(select 0 as n, ${assetId}::bigint as "assetId", ${deployId}::bigint as "deployId",
      ${commitRef}::text as "commitRef", ${branchName}::text as "branchName", ${scanId}::bigint as "scanId",
      ${projectId}::bigint as "projectId") as ask`
  }
  const numbered = asks.map((one, n) => ({ n, ...one }))
  return sql`jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) as ask (n int, "assetId" bigint, "deployId" bigint,
    "commitRef" text, "branchName" text, "scanId" bigint, "projectId" bigint)`
}
