// Creates requirements from attack patterns, with a check for each pattern; all or none.

import { type Trx, transaction } from '../../core/db/open.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import { type Id, parseOptionalId } from '../../core/ids.ts'
import { readName } from '../../core/text.ts'
import { auditAll, authorize } from '../access/service.ts'
import type { ThreatModelingRequirementItemInput } from '../api.generated.ts'
import type { Context } from '../context.ts'
import { authorizeProject } from '../projects/service.ts'
import { capec, parseCapecId } from './catalogue.ts'
import { requireFew } from './input.ts'
import * as store from './store.ts'
import { findPatterns, insertChecks, type NewCheck } from './store-checks.ts'

const REQUIREMENTS_AT_ONCE = 200
const PATTERNS_AT_ONCE = 1000

/** A requirement to create, or to change if `requirementId` is set; then an undefined description stays as it is. */
type Threat = {
  label: string
  description?: string | null
  capecIds: readonly number[]
  requirementId: Id | null
}

/**
 * Creates a requirement from each item, or gives an existing one the item's label and missing checks. Returns them in the order of
 * the items. BAD_USER_INPUT names a pattern that is not in the catalogue; nothing is created then.
 */
export async function createThreatModelingRequirements(
  context: Context,
  companyId: Id,
  projectId: Id | null,
  given: readonly ThreatModelingRequirementItemInput[],
): Promise<store.Requirement[]> {
  await authorize(context, 'requirements:write', companyId)
  const items = readItems(given)
  if (projectId !== null) await requireProject(context, companyId, projectId)
  return transaction(context.db, (trx) => writeThreats(trx, context, companyId, projectId, items))
}

/** Creates or changes the requirements, with an audit record for each; returns them in the order of `threats`. */
export async function writeThreats(
  trx: Trx,
  context: Context,
  companyId: Id,
  projectId: Id | null,
  threats: readonly Threat[],
): Promise<store.Requirement[]> {
  const kept = threats.flatMap(({ requirementId, label, description }) =>
    requirementId === null ? [] : [{ id: requirementId, label, description }],
  )
  const before = await lockAll(trx, companyId, kept)
  const changed = await store.updateTexts(trx, companyId, kept)
  const inserted = await store.insertRequirements(
    trx,
    companyId,
    projectId,
    threats
      .filter(({ requirementId }) => requirementId === null)
      .map(({ label, description = null }) => ({ ...blank, label, description })),
  )
  const existing = new Map(changed.map((requirement) => [requirement.id, requirement]))
  const made = inserted.values()
  const requirements = threats.map(({ requirementId }) => {
    const requirement = requirementId === null ? made.next().value : existing.get(requirementId)
    if (!requirement) throw new Error('A requirement was neither found nor inserted')
    return requirement
  })
  await insertChecks(
    trx,
    companyId,
    threats.flatMap(({ capecIds }, index) => capecIds.map((capecId) => newCheck(requirements[index]?.id, capecId))),
  )
  await auditAll(
    trx,
    context,
    requirements.map((requirement, index) => ({
      companyId,
      object: `Requirement ${requirement.id}`,
      before: before.get(requirement.id),
      after: { ...requirement, capecIds: threats[index]?.capecIds },
    })),
  )
  return requirements
}

/** Locks the requirements with these ids, and returns them with the attack patterns of their checks. */
export async function lockThreats(
  trx: Trx,
  companyId: Id,
  ids: readonly Id[],
): Promise<Map<Id, store.Requirement & { capecIds: readonly number[] }>> {
  if (ids.length === 0) return new Map()
  const requirements = await store.lockRequirements(trx, companyId, ids)
  const patterns = Map.groupBy(await findPatterns(trx, companyId, ids), ({ requirementId }) => requirementId)
  return new Map(
    requirements.map((requirement) => [
      requirement.id,
      { ...requirement, capecIds: (patterns.get(requirement.id) ?? []).map(({ capecId }) => capecId) },
    ]),
  )
}

const blank = { type: 'Requirements', global: false, projectTypeIds: [] } as const

function readItems(given: readonly ThreatModelingRequirementItemInput[]): Threat[] {
  if (given.length === 0) throw badUserInput('requirements has at least one entry', 'input.requirements')
  requireFew(given, REQUIREMENTS_AT_ONCE, 'input.requirements')
  const items = given.map((item, index) => {
    const at = `input.requirements.${index}`
    return {
      label: readName(item.label, `${at}.label`),
      capecIds: readPatterns(item.capecIds, `${at}.capecIds`),
      requirementId: parseOptionalId(item.requirementId, `${at}.requirementId`),
    }
  })
  const ids = items.flatMap(({ requirementId }) => (requirementId === null ? [] : [requirementId]))
  if (new Set(ids).size < ids.length) throw badUserInput('A requirement is named twice', 'input.requirements')
  return items
}

function readPatterns(given: readonly string[], argument: string): number[] {
  if (given.length === 0) throw badUserInput('capecIds has at least one entry', argument)
  requireFew(given, PATTERNS_AT_ONCE, argument)
  const numbers = given.map((text) => {
    const number = parseCapecId(text)
    if (number === null) throw badUserInput(`There is no attack pattern ${text.slice(0, 100)} in CAPEC`, argument)
    return number
  })
  return [...new Set(numbers)]
}

/** NOT_FOUND if the project does not exist or belongs to another company. */
export async function requireProject(context: Context, companyId: Id, projectId: Id): Promise<void> {
  const project = await authorizeProject(context, 'projects:read', projectId)
  if (project.companyId !== companyId) throw notFound('Project', projectId)
}

async function lockAll(trx: Trx, companyId: Id, wanted: readonly { id: Id }[]): Promise<Map<Id, store.Requirement>> {
  if (wanted.length === 0) return new Map()
  const ids = wanted.map(({ id }) => id)
  const found = new Map((await store.lockRequirements(trx, companyId, ids)).map((record) => [record.id, record]))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw notFound('Requirement', missing)
  return found
}

function newCheck(requirementId: Id | undefined, capecId: number): NewCheck {
  if (requirementId === undefined) throw new Error('A check has no requirement')
  return {
    requirementId,
    capecId,
    label: `CAPEC-${capecId}: ${capec(capecId)?.name}`,
    description: null,
    reference: `https://capec.mitre.org/data/definitions/${capecId}.html`,
    item: null,
    category: null,
    actionPlan: null,
    sort: null,
    typeId: null,
    vulnerabilityTemplateId: null,
  }
}
