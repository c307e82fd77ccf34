// The SQL of the checks of requirements.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenAmong, seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

/** The fields of a check that people write. */
export type CheckText = {
  label: string
  description: string | null
  reference: string | null
  item: string | null
  category: string | null
  actionPlan: string | null
  sort: number | null
  typeId: string | null
  vulnerabilityTemplateId: string | null
}

export type Check = CheckText & {
  companyId: Id
  id: Id
  requirementId: Id
  projectId: Id | null
  capecId: number | null
  waivedAt: string | null
  waivedUntil: string | null
  waivedById: Id | null
  waiverReason: string | null
  createdAt: string
}

const checkColumns = [
  'requirement_check.company_id as companyId',
  'requirement_check.id',
  'requirement_check.requirement_id as requirementId',
  'requirement.project_id as projectId',
  'requirement_check.capec_id as capecId',
  'requirement_check.label',
  'requirement_check.description',
  'requirement_check.reference',
  'requirement_check.item',
  'requirement_check.category',
  'requirement_check.action_plan as actionPlan',
  'requirement_check.sort',
  'requirement_check.type_id as typeId',
  'requirement_check.vulnerability_template_id as vulnerabilityTemplateId',
  'requirement_check.waived_at as waivedAt',
  'requirement_check.waived_until as waivedUntil',
  'requirement_check.waived_by as waivedById',
  'requirement_check.waiver_reason as waiverReason',
  'requirement_check.created_at as createdAt',
] as const

const selectChecks = (db: Db) =>
  db
    .selectFrom('requirement_check')
    .innerJoin('requirement', (join) =>
      join
        .onRef('requirement.company_id', '=', 'requirement_check.company_id')
        .onRef('requirement.id', '=', 'requirement_check.requirement_id'),
    )
    .select(checkColumns)

const checkOrder = sql`requirement_check.sort asc nulls last, requirement_check.id asc`

/** The checks of these requirements in the order in which they are listed. */
export async function findChecks(db: Db, viewer: Viewer, requirementIds: readonly Id[]): Promise<Check[]> {
  return selectChecks(db)
    .where(seenAmong(viewer, sql`requirement_check.company_id`, sql`requirement_check.requirement_id`, requirementIds))
    .orderBy(checkOrder)
    .execute()
}

/** The checks with these ids that the viewer sees. */
export async function findChecksById(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Check[]> {
  return selectChecks(db)
    .where(seenAmong(viewer, sql`requirement_check.company_id`, sql`requirement_check.id`, ids))
    .execute()
}

export async function findCheck(db: Db, viewer: Viewer, id: Id): Promise<Check | null> {
  const found = selectChecks(db)
    .where('requirement_check.id', '=', id)
    .where(seenBy(viewer, 'requirement_check.company_id'))
  return (await found.executeTakeFirst()) ?? null
}

export async function lockCheck(trx: Trx, companyId: Id, id: Id): Promise<Check | null> {
  const found = selectChecks(trx)
    .where('requirement_check.company_id', '=', companyId)
    .where('requirement_check.id', '=', id)
    .forUpdate('requirement_check')
  return (await found.executeTakeFirst()) ?? null
}

export type NewCheck = CheckText & { requirementId: Id; capecId: number | null }

/** Inserts the checks in this order; skips attack patterns that their requirement has already. */
export async function insertChecks(trx: Trx, companyId: Id, checks: readonly NewCheck[]): Promise<void> {
  if (checks.length === 0) return
  const rows = checks.map((check, number) => ({ ...check, number }))
  await sql`
    insert into requirement_check (company_id, requirement_id, capec_id, label, description, reference, item, category,
      action_plan, sort, type_id, vulnerability_template_id)
    select ${companyId}::bigint, "requirementId", "capecId", label, description, reference, item, category,
      "actionPlan", sort, "typeId", "vulnerabilityTemplateId"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(number int, "requirementId" bigint, "capecId" int,
      label text, description text, reference text, item text, category text, "actionPlan" text, sort int,
      "typeId" text, "vulnerabilityTemplateId" text)
    order by number
    on conflict (company_id, requirement_id, capec_id) do nothing`.execute(trx)
}

/** The attack patterns of these requirements' checks. */
export async function findPatterns(
  trx: Trx,
  companyId: Id,
  requirementIds: readonly Id[],
): Promise<{ requirementId: Id; capecId: number }[]> {
  const { rows } = await sql<{ requirementId: Id; capecId: number }>`
    select requirement_id as "requirementId", capec_id as "capecId" from requirement_check
    where company_id = ${companyId} and requirement_id = any(${requirementIds}::bigint[]) and capec_id is not null`.execute(
    trx,
  )
  return rows
}

/** Updates the texts of checks of one requirement in one statement. */
export async function updateChecks(
  trx: Trx,
  companyId: Id,
  requirementId: Id,
  checks: readonly (CheckText & { id: Id })[],
): Promise<void> {
  if (checks.length === 0) return
  await sql`
    update requirement_check c set label = given.label, description = given.description, reference = given.reference,
      item = given.item, category = given.category, action_plan = given."actionPlan", sort = given.sort,
      type_id = given."typeId", vulnerability_template_id = given."vulnerabilityTemplateId"
    from jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) as given(id bigint, label text, description text,
      reference text, item text, category text, "actionPlan" text, sort int, "typeId" text,
      "vulnerabilityTemplateId" text)
    where c.company_id = ${companyId} and c.requirement_id = ${requirementId} and c.id = given.id`.execute(trx)
}

export async function deleteChecks(trx: Trx, companyId: Id, requirementId: Id, ids: readonly Id[]): Promise<void> {
  await trx
    .deleteFrom('requirement_check')
    .where('company_id', '=', companyId)
    .where('requirement_id', '=', requirementId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute()
}

export type Waiver = { reason: string; until: string; userId: Id }

/** Sets or removes the waiver of a check. */
export async function updateWaiver(trx: Trx, companyId: Id, id: Id, waiver: Waiver | null): Promise<void> {
  await trx
    .updateTable('requirement_check')
    .set({
      waived_at: waiver && sql`now()`,
      waived_until: waiver?.until ?? null,
      waived_by: waiver?.userId ?? null,
      waiver_reason: waiver?.reason ?? null,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
}
