// Requirements of companies and projects: who may see, create, change and delete them.

import { type Trx, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import { type Id, parseIds, parseOptionalId } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { ActivityInput, RequirementInput, RequirementTypeEnum } from '../api.generated.ts'
import type { Context } from '../context.ts'
import { loadProjectTypes } from '../projects/service.ts'
import { readSort, requireFew } from './input.ts'
import { lockRequirement } from './locked.ts'
import * as store from './store.ts'
import { type Check, type CheckText, deleteChecks, findChecks, insertChecks, updateChecks } from './store-checks.ts'

export { capec, cwesOf, patternsOf } from './catalogue.ts'
export type { Requirement, RequirementFilter } from './store.ts'
export type { Check } from './store-checks.ts'
export { lockThreats, requireProject, writeThreats } from './threats.ts'

const CHECKS_AT_ONCE = 500

/** requirement → its checks in the order in which they are listed. */
export async function loadChecks(context: Context, requirementIds: readonly string[]): Promise<Map<string, Check[]>> {
  const checks = await findChecks(context.db, context.viewer, requirementIds)
  return Map.groupBy(checks, ({ requirementId }) => requirementId)
}

/** Requirements by id, for fields of other records that refer to them; only those that the viewer sees. */
export const loadRequirements = async (
  context: Context,
  ids: readonly string[],
): Promise<Map<string, store.Requirement>> =>
  new Map((await store.findRequirements(context.db, context.viewer, ids)).map((found) => [found.id, found]))

export async function listRequirements(
  context: Context,
  companyId: Id,
  page: PageRequest,
  filter: store.RequirementFilter,
): Promise<Page<store.Requirement>> {
  await authorize(context, 'requirements:read', companyId)
  return store.listRequirements(context.db, companyId, page, filter)
}

export async function getRequirement(context: Context, companyId: Id, id: Id): Promise<store.Requirement> {
  await authorize(context, 'requirements:read', companyId)
  const requirement = await store.findCompanyRequirement(context.db, companyId, id)
  if (!requirement) throw notFound('Requirement', id)
  return requirement
}

/** Creates a requirement, or changes the one with the input's id; fields that are left out stay as they are. */
export async function createOrUpdateRequirement(
  context: Context,
  companyId: Id,
  input: RequirementInput,
): Promise<store.Requirement> {
  await authorize(context, 'requirements:write', companyId)
  const id = parseOptionalId(input.id, 'input.id')
  const fields = {
    label: readName(input.label, 'input.label'),
    description: readText(input.description, 'input.description'),
    type: input.type ?? undefined,
    global: input.global ?? undefined,
    projectTypeIds: await readProjectTypes(context, input),
  }
  const checks = readChecks(input.activities ?? [])
  const removed = parseIds(input.removeCheckIds ?? [], 'input.removeCheckIds')
  return transaction(context.db, async (trx) => {
    const before = id === null ? null : await lockRequirement(trx, companyId, id)
    const after =
      before === null
        ? await insert(trx, companyId, fields)
        : await store.updateRequirement(trx, companyId, before.id, fields)
    await writeChecks(trx, context, after, checks, removed)
    await audit(trx, context, {
      companyId,
      object: `Requirement ${after.id}`,
      before: before ?? undefined,
      after: { ...after, checks: checks.map(({ label }) => label), removedCheckIds: removed },
    })
    return after
  })
}

/** Deletes a requirement with its checks and activities; returns it as it was. */
export async function deleteRequirement(context: Context, id: Id, companyId: Id | null): Promise<store.Requirement> {
  const found = await authorizeRequirement(context, 'requirements:write', id)
  if (companyId !== null && companyId !== found.companyId) throw notFound('Requirement', id)
  return transaction(context.db, async (trx) => {
    const before = await lockRequirement(trx, found.companyId, id)
    await store.deleteRequirement(trx, found.companyId, id)
    await audit(trx, context, { companyId: found.companyId, object: `Requirement ${id}`, before })
    return before
  })
}

/** The requirement, if the viewer may do `action` in its company; NOT_FOUND if it is missing or belongs to another company. */
const authorizeRequirement = (
  context: Context,
  action: Parameters<typeof authorizeRecord>[1],
  id: Id,
): Promise<store.Requirement> =>
  authorizeRecord(context, action, 'Requirement', id, () => store.findRequirement(context.db, context.viewer, id))

type Fields = {
  label: string
  description: string | null
  type: RequirementTypeEnum | undefined
  global: boolean | undefined
  projectTypeIds: readonly Id[] | undefined
}

async function insert(trx: Trx, companyId: Id, fields: Fields): Promise<store.Requirement> {
  const { label, description, type = 'Requirements', global = false, projectTypeIds = [] } = fields
  const [requirement] = await store.insertRequirements(trx, companyId, null, [
    { label, description, type, global, projectTypeIds },
  ])
  if (!requirement) throw new Error('A requirement was not inserted')
  return requirement
}

async function readProjectTypes(context: Context, { associatedProjectTypeId }: RequirementInput) {
  if (associatedProjectTypeId === null || associatedProjectTypeId === undefined) return undefined
  const ids = parseIds(associatedProjectTypeId, 'input.associatedProjectTypeId')
  if (ids.length === 0) return ids
  const known = await loadProjectTypes(context, ids)
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) throw notFound('ProjectType', unknown)
  return ids
}

type GivenCheck = CheckText & { id: Id | null }

function readChecks(activities: readonly ActivityInput[]): GivenCheck[] {
  requireFew(activities, CHECKS_AT_ONCE, 'input.activities')
  const checks = activities.map((activity, index): GivenCheck => {
    const at = `input.activities.${index}`
    return {
      id: parseOptionalId(activity.id, `${at}.id`),
      label: readName(activity.label, `${at}.label`),
      description: readText(activity.description, `${at}.description`),
      reference: readText(activity.reference ?? null, `${at}.reference`),
      item: readText(activity.item ?? null, `${at}.item`, 500),
      category: readText(activity.category ?? null, `${at}.category`, 500),
      actionPlan: readText(activity.actionPlan ?? null, `${at}.actionPlan`),
      sort: readSort(activity.sort, `${at}.sort`),
      typeId: readText(activity.typeId ?? null, `${at}.typeId`, 100),
      vulnerabilityTemplateId: readText(activity.vulnerabilityTemplateId ?? null, `${at}.vulnerabilityTemplateId`, 100),
    }
  })
  const ids = checks.flatMap(({ id }) => (id === null ? [] : [id]))
  if (new Set(ids).size < ids.length) throw badUserInput('A check is named twice', 'input.activities')
  return checks
}

async function writeChecks(
  trx: Trx,
  context: Context,
  { companyId, id }: store.Requirement,
  checks: readonly GivenCheck[],
  removed: readonly Id[],
): Promise<void> {
  const changed = checks.flatMap((check) => (check.id === null ? [] : [{ ...check, id: check.id }]))
  if (changed.length > 0 || removed.length > 0) {
    const own = new Set((await findChecks(trx, context.viewer, [id])).map((check) => check.id))
    const foreign = [...removed, ...changed.map((check) => check.id)].find((given) => !own.has(given))
    if (foreign !== undefined) throw notFound('Check', foreign)
  }
  await deleteChecks(trx, companyId, id, removed)
  await updateChecks(trx, companyId, id, changed)
  const added = checks.filter((check) => check.id === null)
  await insertChecks(
    trx,
    companyId,
    added.map((check) => ({ ...check, requirementId: id, capecId: null })),
  )
}

/** NOT_FOUND for the first of these ids that is not a requirement of the company itself. */
export async function requirePlaybooks(context: Context, companyId: Id, ids: readonly Id[]): Promise<void> {
  const found = new Set(await store.findOwnIds(context.db, companyId, ids))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw notFound('Requirement', missing)
}
