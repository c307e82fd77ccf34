// The SQL of projects. store-list.ts lists them, store-parts.ts has the tables that belong to them.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { ProjectFields } from './fields.ts'

export type ProjectStatus = 'ANALYSIS' | 'DONE' | 'PLANNED' | 'DISCONTINUED' | 'PAUSED'

export type Project = ProjectFields & {
  id: Id
  companyId: Id
  pid: string
  status: string
  statusReason: string | null
  createdAt: string
  updatedAt: string
}

export const columns = [
  'project.id',
  'company_id as companyId',
  'pid',
  'type_id as typeId',
  'label',
  'goal',
  'scope',
  'status',
  'status_reason as statusReason',
  'start_date as startDate',
  'end_date as endDate',
  'estimated_hours as estimatedHours',
  'connectivity',
  'students',
  'tags',
  'scope_urls as scopeUrls',
  'team_ids as teamIds',
  'playbook_ids as playbookIds',
  'credential_ids as credentialIds',
  'secret_ids as secretIds',
  'attack_chain as attackChain',
  'comment',
  'custom_executive_summary as customExecutiveSummary',
  'active_custom_executive_summary as activeCustomExecutiveSummary',
  'custom_final_considerations as customFinalConsiderations',
  'active_custom_final_considerations as activeCustomFinalConsiderations',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const valuesOf = (fields: ProjectFields) => ({
  type_id: fields.typeId,
  label: fields.label,
  goal: fields.goal,
  scope: fields.scope,
  start_date: fields.startDate,
  end_date: fields.endDate,
  estimated_hours: fields.estimatedHours,
  connectivity: fields.connectivity,
  students: fields.students,
  tags: fields.tags,
  scope_urls: fields.scopeUrls,
  team_ids: fields.teamIds,
  playbook_ids: fields.playbookIds,
  credential_ids: fields.credentialIds,
  secret_ids: fields.secretIds,
  attack_chain: fields.attackChain,
  comment: fields.comment,
  custom_executive_summary: fields.customExecutiveSummary,
  active_custom_executive_summary: fields.activeCustomExecutiveSummary,
  custom_final_considerations: fields.customFinalConsiderations,
  active_custom_final_considerations: fields.activeCustomFinalConsiderations,
})

/** The projects with these ids that the viewer sees. */
export async function findProjects(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Project[]> {
  return db
    .selectFrom('project')
    .select(columns)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where(seenBy(viewer, 'company_id'))
    .execute()
}

/** The projects of the company among these ids, locked in the order of their ids. */
export async function lockProjects(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<Project[]> {
  return trx
    .selectFrom('project')
    .select(columns)
    .where('company_id', '=', companyId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Inserts a project; its pid is made of the code of its type and its id. */
export async function insertProject(trx: Trx, companyId: Id, code: string, fields: ProjectFields): Promise<Project> {
  const { rows } = await sql<{ id: Id }>`select nextval(pg_get_serial_sequence('project', 'id')) as id`.execute(trx)
  const id = rows[0]?.id
  return trx
    .insertInto('project')
    .values({ company_id: companyId, id, pid: `${code}-${id}`, ...valuesOf(fields) })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateProject(trx: Trx, companyId: Id, id: Id, fields: ProjectFields): Promise<Project> {
  return trx
    .updateTable('project')
    .set({ ...valuesOf(fields), updated_at: sql`now()` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Sets the status of locked projects, and adds each change to their history. */
export async function updateStatuses(
  trx: Trx,
  companyId: Id,
  ids: readonly Id[],
  change: { status: ProjectStatus; reason: string | null; userId: Id },
): Promise<Project[]> {
  await sql`
    insert into project_status_change (company_id, project_id, previous_status, status, reason, user_id)
    select company_id, id, status, ${change.status}, ${change.reason}, ${change.userId} from project
    where company_id = ${companyId} and id = any(${ids}::bigint[]) order by id`.execute(trx)
  return trx
    .updateTable('project')
    .set({ status: change.status, status_reason: change.reason, updated_at: sql`now()` })
    .where('company_id', '=', companyId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .returning(columns)
    .execute()
}

/** Adds the first status of a new project to its history. */
export async function insertFirstStatus(trx: Trx, project: Project, userId: Id): Promise<void> {
  await trx
    .insertInto('project_status_change')
    .values({ company_id: project.companyId, project_id: project.id, status: project.status, user_id: userId })
    .execute()
}

export async function deleteProjects(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<void> {
  await sql`delete from project where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(trx)
}
