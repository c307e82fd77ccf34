// The SQL of a project's type, assets, people and history, and of figures about its findings.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import { boundedCount, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type ProjectType = {
  id: Id
  label: string
  code: string
  description: string | null
  /** days */
  defaultDuration: number | null
}

const typeColumns = ['id', 'label', 'code', 'description', 'default_duration as defaultDuration'] as const

export type ProjectTypeSearch = { labelCont?: string | null; labelEq?: string | null; codeEq?: string | null }

export async function listProjectTypes(
  db: Db,
  page: PageRequest,
  search: ProjectTypeSearch,
): Promise<Page<ProjectType>> {
  let found = db.selectFrom('project_type').select(typeColumns)
  if (search.labelCont) found = found.where(sql<boolean>`strpos(lower(label), ${search.labelCont.toLowerCase()}) > 0`)
  if (search.labelEq) found = found.where('label', '=', search.labelEq)
  if (search.codeEq) found = found.where('code', '=', search.codeEq)
  const rows = await found.orderBy('id').limit(page.limit).offset(offsetOf(page)).execute()
  return pageOf(page, rows, await boundedCount(db, found, rows.length, page), ({ id }) => [id])
}

export async function findProjectTypes(db: Db, ids: readonly Id[]): Promise<ProjectType[]> {
  return db.selectFrom('project_type').select(typeColumns).where(sql<boolean>`id = any(${ids}::bigint[])`).execute()
}

/** Replaces the project's assets with these, as far as they belong to its company. */
export async function replaceAssets(trx: Trx, companyId: Id, projectId: Id, assetIds: readonly Id[]): Promise<void> {
  await sql`delete from project_asset where company_id = ${companyId} and project_id = ${projectId}
    and not asset_id = any(${assetIds}::bigint[])`.execute(trx)
  await sql`insert into project_asset (company_id, project_id, asset_id)
    select company_id, ${projectId}, id from asset where company_id = ${companyId} and id = any(${assetIds}::bigint[])
    on conflict do nothing`.execute(trx)
}

export async function findAssetIds(db: Db, viewer: Viewer, projectIds: readonly Id[]) {
  const { rows } = await sql<{ projectId: Id; assetIds: Id[] }>`
    select project_id as "projectId", array_agg(asset_id order by asset_id) as "assetIds" from project_asset
    where ${seenBy(viewer, 'company_id')} and project_id = any(${projectIds}::bigint[]) group by project_id`.execute(db)
  return rows
}

type Part = 'ALLOCATED' | 'ACCESS'

/** Replaces the people who have this part in the project. */
export async function replaceUsers(trx: Trx, companyId: Id, projectId: Id, part: Part, userIds: readonly Id[]) {
  await sql`delete from project_user where company_id = ${companyId} and project_id = ${projectId} and part = ${part}
    and not user_id = any(${userIds}::bigint[])`.execute(trx)
  await sql`insert into project_user (company_id, project_id, user_id, part)
    select ${companyId}, ${projectId}, user_id, ${part} from unnest(${userIds}::bigint[]) as user_id
    on conflict do nothing`.execute(trx)
}

export type ProjectUsers = { projectId: Id; allocated: Id[]; access: Id[] }

/** The people of these projects who are still members of the company. */
export async function findUserIds(db: Db, viewer: Viewer, projectIds: readonly Id[]): Promise<ProjectUsers[]> {
  const { rows } = await sql<ProjectUsers>`
    select project_id as "projectId",
           coalesce(array_agg(user_id order by user_id) filter (where part = 'ALLOCATED'), '{}') as allocated,
           coalesce(array_agg(user_id order by user_id) filter (where part = 'ACCESS'), '{}') as access
    from project_user join membership using (company_id, user_id)
    where ${seenBy(viewer, 'company_id')} and project_id = any(${projectIds}::bigint[]) group by project_id`.execute(db)
  return rows
}

export type StatusChange = {
  id: Id
  projectId: Id
  previousStatus: string | null
  status: string
  reason: string | null
  userId: Id | null
  createdAt: string
}

/** The status changes of these projects, oldest first. */
export async function findStatusChanges(db: Db, viewer: Viewer, projectIds: readonly Id[]): Promise<StatusChange[]> {
  return db
    .selectFrom('project_status_change')
    .select([
      'id',
      'project_id as projectId',
      'previous_status as previousStatus',
      'status',
      'reason',
      'user_id as userId',
      'created_at as createdAt',
    ])
    .where(seenBy(viewer, 'company_id'))
    .where(sql<boolean>`project_id = any(${projectIds}::bigint[])`)
    .orderBy('id')
    .execute()
}

/** The ids of those projects with an open finding that says that the environment is compromised. */
export async function findCompromised(db: Db, viewer: Viewer, projectIds: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select distinct project_id as id from issue
    where ${seenBy(viewer, 'company_id')} and project_id = any(${projectIds}::bigint[]) and compromised_environment
    and ${isOpenIssue}`.execute(db)
  return rows.map(({ id }) => id)
}
