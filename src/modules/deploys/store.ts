// The SQL of deploys: lists, look-ups, changes and deletion.

import { sql } from 'kysely'
import { isCommit } from '../../core/commits.ts'
import { anyCompany } from '../../core/db/any-company.ts'
import { headOf } from '../../core/db/branch-heads.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import type { DiffState } from '../../diff/types.ts'
import { seenBy } from '../access/service.ts'
import type { GateDecision } from '../api.generated.ts'
import type { Viewer } from '../context.ts'
import type { LanguageTotals } from './languages.ts'
import type { Lineage } from './lineage.ts'
import type { DeployStatus } from './status.ts'

export type Deploy = {
  id: Id
  companyId: Id
  assetId: Id
  status: DeployStatus
  branchName: string | null
  previousCommit: string
  currentCommit: string
  authoredAt: string | null
  diffState: DiffState
  diffReason: string | null
  files: number
  added: number
  removed: number
  languages: LanguageTotals[]
  lineage: Lineage
  isCarried: boolean
  createdById: Id | null
  createdAt: string
  diffObjectId: Id | null
  historyObjectId: Id | null
}

const columns = [
  'deploy.id',
  'deploy.company_id as companyId',
  'deploy.asset_id as assetId',
  sql<DeployStatus>`deploy.status`.as('status'),
  sql<string | null>`nullif(deploy.branch, '')`.as('branchName'),
  'deploy.previous_commit as previousCommit',
  'deploy.current_commit as currentCommit',
  'deploy.authored_at as authoredAt',
  sql<DiffState>`deploy.diff_state`.as('diffState'),
  'deploy.diff_reason as diffReason',
  'deploy.files',
  'deploy.added',
  'deploy.removed',
  sql<LanguageTotals[]>`deploy.languages`.as('languages'),
  sql<Lineage>`deploy.lineage`.as('lineage'),
  'deploy.is_carried as isCarried',
  'deploy.created_by as createdById',
  'deploy.created_at as createdAt',
  'deploy.diff_object_id as diffObjectId',
  'deploy.history_object_id as historyObjectId',
] as const

/** `commit` is a full id; a deploy to it matches also if it has only a prefix of the id. */
export async function listByAsset(
  db: Db,
  companyId: Id,
  assetId: Id,
  { branchName, commit }: { branchName: string | null; commit: string | null },
  page: PageRequest,
): Promise<Page<Deploy>> {
  let deploys = db
    .selectFrom('deploy')
    .select(columns)
    .where('deploy.company_id', '=', companyId)
    .where('deploy.asset_id', '=', assetId)
  if (branchName !== null) deploys = deploys.where('deploy.branch', '=', branchName)
  if (commit !== null) deploys = deploys.where(isCommit(sql`deploy.current_commit`, sql`${commit}::text`))
  return newestFirst(db, deploys, page, 'deploy.id')
}

export async function listByProject(
  db: Db,
  companyId: Id,
  projectId: Id,
  created: { from: string; to: string },
  page: PageRequest,
): Promise<Page<Deploy>> {
  const assets = db
    .selectFrom('project_asset')
    .select('project_asset.asset_id')
    .where('project_asset.company_id', '=', companyId)
    .where('project_asset.project_id', '=', projectId)
  const deploys = db
    .selectFrom('deploy')
    .select(columns)
    .where('deploy.company_id', '=', companyId)
    .where('deploy.asset_id', 'in', assets)
    .where('deploy.created_at', '>=', created.from)
    .where('deploy.created_at', '<=', created.to)
  return newestFirst(db, deploys, page, 'deploy.id')
}

/** `assetIds` null: every asset of the company. `decisions` empty: any verdict, or none yet. */
export function listByCompany(
  db: Db,
  companyId: Id,
  { assetIds, decisions }: { assetIds: readonly Id[] | null; decisions: readonly GateDecision[] },
  page: PageRequest,
): Promise<Page<Deploy>> {
  let deploys = db.selectFrom('deploy').select(columns).where('deploy.company_id', '=', companyId)
  if (assetIds !== null) deploys = deploys.where(sql<boolean>`deploy.asset_id = any(${assetIds}::bigint[])`)
  if (decisions.length === 0) return newestFirst(db, deploys, page, 'deploy.id')
  const judged = deploys
    .innerJoin('deploy_verdict', (join) =>
      join
        .on(sql<boolean>`deploy_verdict.company_id = ${anyCompany(companyId)}`)
        .onRef('deploy_verdict.deploy_id', '=', 'deploy.id'),
    )
    .where('deploy_verdict.decision', 'in', [...decisions])
  return newestFirst(db, judged, page, 'deploy.id')
}

/** The deploys with these ids that the viewer sees. */
export const findDeploys = (db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Deploy[]> =>
  db
    .selectFrom('deploy')
    .select(columns)
    .where('deploy.id', 'in', [...ids])
    .where(seenBy(viewer, 'deploy.company_id'))
    .execute()

export async function findDeploy(db: Db, viewer: Viewer, id: Id): Promise<Deploy | null> {
  const found = await db
    .selectFrom('deploy')
    .select(columns)
    .where('deploy.id', '=', id)
    .where(seenBy(viewer, 'deploy.company_id'))
    .executeTakeFirst()
  return found ?? null
}

export async function lockDeploy(trx: Trx, companyId: Id, id: Id): Promise<Deploy | null> {
  const found = await trx
    .selectFrom('deploy')
    .select(columns)
    .where('deploy.company_id', '=', companyId)
    .where('deploy.id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return found ?? null
}

/** Whether the asset has a deploy between these commits; abbreviated ids match. */
export async function hasDeploy(
  db: Db | Trx,
  { companyId, assetId }: { companyId: string; assetId: string },
  { previousCommit, currentCommit }: { previousCommit: string; currentCommit: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from deploy where company_id = ${companyId} and asset_id = ${assetId}
      and ${isCommit(sql`previous_commit`, sql`${previousCommit}::text`)}
      and ${isCommit(sql`current_commit`, sql`${currentCommit}::text`)} limit 1`.execute(db)
  return rows.length > 0
}

/** The deploy at which a branch stands, which is never one that arrived late; null without a deploy. */
export async function findHead(db: Db, branch: { companyId: Id; assetId: Id; branch: string }): Promise<Deploy | null> {
  const head = db
    .selectFrom('deploy')
    .select(columns)
    .where(sql<boolean>`${headOf(branch)}`)
  return (await head.executeTakeFirst()) ?? null
}

/** Whether the deploy came late to a commit to which another one led its branch: that one's verdict is the verdict on the commit. */
export async function isOutdone(
  db: Db,
  { companyId, assetId, branchName, currentCommit, lineage }: Deploy,
): Promise<boolean> {
  if (lineage !== 'LATE') return false
  const { rows } = await sql`
    select from deploy where company_id = ${companyId} and asset_id = ${assetId} and branch = ${branchName ?? ''}
      and ${isCommit(sql`current_commit`, sql`${currentCommit}::text`)} and lineage <> 'LATE' limit 1`.execute(db)
  return rows.length > 0
}

/** The newest deploy that fits: of an asset, between two commits, with an id. */
export async function findNewest(
  db: Db,
  asked: { companyId: Id; assetId?: Id; id?: Id; previousCommit?: string; currentCommit?: string },
): Promise<Deploy | null> {
  let own = db.selectFrom('deploy').select(columns).where('deploy.company_id', '=', asked.companyId)
  if (asked.id !== undefined) own = own.where('deploy.id', '=', asked.id)
  if (asked.assetId !== undefined) own = own.where('deploy.asset_id', '=', asked.assetId)
  if (asked.previousCommit !== undefined) own = own.where('previous_commit', '=', asked.previousCommit)
  if (asked.currentCommit !== undefined) own = own.where('current_commit', '=', asked.currentCommit)
  return (await own.orderBy('deploy.id', 'desc').limit(1).executeTakeFirst()) ?? null
}

export async function updateStatus(trx: Trx, companyId: Id, id: Id, status: DeployStatus): Promise<Deploy> {
  return trx
    .updateTable('deploy')
    .set({ status })
    .where('deploy.company_id', '=', companyId)
    .where('deploy.id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The reasons that prevent a deploy from being deleted. */
export async function findTies(
  trx: Trx,
  { companyId, assetId, id, branchName, lineage }: Deploy,
): Promise<{ isNewest: boolean; isReferred: boolean }> {
  const branch = branchName ?? ''
  const { rows } = await sql<{ isNewest: boolean; isReferred: boolean }>`
    select
      not exists (select 1 from deploy where company_id = ${companyId} and asset_id = ${assetId}
                  and branch = ${branch} and id > ${id}) as "isNewest",
      exists (select 1 from deploy_finding where company_id = ${companyId} and deploy_id = ${id})
      or exists (select 1 from issue where company_id = ${companyId} and asset_id = ${assetId} and deploy_id = ${id})
      or exists (select 1 from occurrence where company_id = ${companyId} and asset_id = ${assetId} and branch = ${branch}
                 and (${lineage} = 'BRANCHES' or first_deploy_id = ${id} or last_deploy_id = ${id})) as "isReferred"`.execute(
    trx,
  )
  const [ties] = rows
  if (!ties) throw new Error('A select without a table gives one row')
  return ties
}

/** Deletes the deploy and its dependent rows; its stored files are swept later, once no row refers to them. */
export async function deleteDeploy(trx: Trx, { companyId, id, diffObjectId, historyObjectId }: Deploy): Promise<void> {
  await trx.deleteFrom('deploy').where('company_id', '=', companyId).where('id', '=', id).execute()
  const objects = [diffObjectId, historyObjectId].filter((object) => object !== null)
  await sql`delete from stored_object where company_id = ${companyId} and id = any(${objects}::bigint[])`.execute(trx)
}
