// The SQL of requirements.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { RequirementTypeEnum } from '../api.generated.ts'
import type { Viewer } from '../context.ts'

export type Requirement = {
  companyId: Id
  id: Id
  projectId: Id | null
  type: RequirementTypeEnum
  label: string
  description: string | null
  global: boolean
  projectTypeIds: Id[]
  createdAt: string
  updatedAt: string
}

export type RequirementFilter = {
  projectId: Id | null
  search: string | null
  types: readonly string[] | null
  global: boolean | null
  projectTypeIds: readonly Id[] | null
  capecIds: readonly number[] | null
}

const columns = [
  'requirement.company_id as companyId',
  'requirement.id',
  'requirement.project_id as projectId',
  sql<RequirementTypeEnum>`requirement.type`.as('type'),
  'requirement.label',
  'requirement.description',
  'requirement.is_global as global',
  sql<Id[]>`requirement.project_type_ids::text[]`.as('projectTypeIds'),
  'requirement.created_at as createdAt',
  'requirement.updated_at as updatedAt',
] as const

const selectRequirements = (db: Db) => db.selectFrom('requirement').select(columns)

/** The requirements of the company itself or, if the filter names a project, of that project. */
export async function listRequirements(
  db: Db,
  companyId: Id,
  page: PageRequest,
  filter: RequirementFilter,
): Promise<Page<Requirement>> {
  let found = selectRequirements(db).where('requirement.company_id', '=', companyId)
  found = filter.projectId
    ? found.where('requirement.project_id', '=', filter.projectId)
    : found.where('requirement.project_id', 'is', null)
  if (filter.search !== null) {
    const part = filter.search.toLowerCase()
    found = found.where(
      sql<boolean>`(strpos(lower(requirement.label), ${part}) > 0 or strpos(lower(requirement.description), ${part}) > 0)`,
    )
  }
  if (filter.types) found = found.where(sql<boolean>`requirement.type = any(${filter.types}::text[])`)
  if (filter.global !== null) found = found.where('requirement.is_global', '=', filter.global)
  if (filter.projectTypeIds) {
    found = found.where(sql<boolean>`requirement.project_type_ids && ${filter.projectTypeIds}::bigint[]`)
  }
  if (filter.capecIds) {
    found = found.where(sql<boolean>`requirement.id = any(array(
      select c.requirement_id from requirement_check c
      where c.company_id = ${companyId} and c.capec_id = any(${filter.capecIds}::int[])))`)
  }
  return newestFirst(db, found, page, 'requirement.id')
}

export async function findRequirement(db: Db, viewer: Viewer, id: Id): Promise<Requirement | null> {
  const found = selectRequirements(db).where('requirement.id', '=', id).where(seenBy(viewer, 'requirement.company_id'))
  return (await found.executeTakeFirst()) ?? null
}

/** The requirements with these ids that the viewer sees. */
export async function findRequirements(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Requirement[]> {
  return selectRequirements(db)
    .where(sql<boolean>`requirement.id = any(${ids}::bigint[])`)
    .where(seenBy(viewer, 'requirement.company_id'))
    .execute()
}

export async function findCompanyRequirement(db: Db, companyId: Id, id: Id): Promise<Requirement | null> {
  const found = selectRequirements(db).where('requirement.company_id', '=', companyId).where('requirement.id', '=', id)
  return (await found.executeTakeFirst()) ?? null
}

/** The ids among these of requirements that belong to the company itself, not to a project. */
export async function findOwnIds(db: Db, companyId: Id, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from requirement
    where company_id = ${companyId} and project_id is null and id = any(${ids}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** The requirements of these projects, oldest first, at most `most` per project. */
export async function findProjectRequirements(
  db: Db,
  viewer: Viewer,
  projectIds: readonly Id[],
  most: number,
): Promise<Requirement[]> {
  const numbered = db
    .selectFrom('requirement')
    .select([...columns, sql<string>`row_number() over (partition by project_id order by id)`.as('number')])
    .where(sql<boolean>`requirement.project_id = any(${projectIds}::bigint[])`)
    .where(seenBy(viewer, 'requirement.company_id'))
  return db
    .selectFrom(numbered.as('numbered'))
    .select([
      'companyId',
      'id',
      'projectId',
      'type',
      'label',
      'description',
      'global',
      'projectTypeIds',
      'createdAt',
      'updatedAt',
    ])
    .where(sql<boolean>`number <= ${most}::int`)
    .orderBy('id')
    .execute()
}

/** The company's requirements among these ids, locked in the order of their ids. */
export async function lockRequirements(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<Requirement[]> {
  return selectRequirements(trx)
    .where('requirement.company_id', '=', companyId)
    .where(sql<boolean>`requirement.id = any(${ids}::bigint[])`)
    .orderBy('requirement.id')
    .forUpdate()
    .execute()
}

type NewRequirement = {
  label: string
  description: string | null
  type: RequirementTypeEnum
  global: boolean
  projectTypeIds: readonly Id[]
}

/** Inserts the requirements in one statement; returns them in the same order. */
export async function insertRequirements(
  trx: Trx,
  companyId: Id,
  projectId: Id | null,
  requirements: readonly NewRequirement[],
): Promise<Requirement[]> {
  const rows = requirements.map((requirement, number) => ({ ...requirement, number }))
  const inserted = await trx
    .insertInto('requirement')
    .columns(['company_id', 'project_id', 'type', 'label', 'description', 'is_global', 'project_type_ids'])
    .expression(
      sql`select ${companyId}::bigint, ${projectId}::bigint, type, label, description, "global", "projectTypeIds"
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(number int, type text, label text,
          description text, "global" boolean, "projectTypeIds" bigint[])
        order by number`,
    )
    .returning(columns)
    .execute()
  // ids are assigned in the order of the rows
  return inserted.sort((left, right) => (BigInt(left.id) < BigInt(right.id) ? -1 : 1))
}

type RequirementChange = Partial<NewRequirement>

export async function updateRequirement(
  trx: Trx,
  companyId: Id,
  id: Id,
  change: RequirementChange,
): Promise<Requirement> {
  return trx
    .updateTable('requirement')
    .set({
      label: change.label,
      description: change.description,
      type: change.type,
      is_global: change.global,
      project_type_ids: change.projectTypeIds && [...change.projectTypeIds],
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Undefined leaves the description as it is. */
type NewTexts = { id: Id; label: string; description?: string | null }

/** Updates the texts of many requirements in one statement. */
export async function updateTexts(trx: Trx, companyId: Id, texts: readonly NewTexts[]): Promise<Requirement[]> {
  if (texts.length === 0) return []
  const rows = texts.map((text) => ({ ...text, describes: text.description !== undefined }))
  await sql`
    update requirement set label = given.label, updated_at = now(),
      description = case when given.describes then given.description else requirement.description end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given(id bigint, label text, description text, describes boolean)
    where requirement.company_id = ${companyId} and requirement.id = given.id`.execute(trx)
  return lockRequirements(
    trx,
    companyId,
    texts.map(({ id }) => id),
  )
}

/** Deletes the requirement with its checks, activities and evidences. */
export async function deleteRequirement(trx: Trx, companyId: Id, id: Id): Promise<void> {
  await trx.deleteFrom('requirement').where('company_id', '=', companyId).where('id', '=', id).execute()
}
