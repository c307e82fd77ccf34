// Requirements from attack patterns: one check for each pattern, all of them or none.

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
import { insertChecks, type NewCheck } from './store-checks.ts'

const REQUIREMENTS_AT_ONCE = 200
const PATTERNS_AT_ONCE = 1000

type Item = { label: string; capecIds: readonly number[]; requirementId: Id | null }

/**
 * Makes a requirement of each item, or gives an existing one the label and the checks that it lacks; answers in the
 * order of the items. BAD_USER_INPUT naming a pattern that the catalogue does not have; nothing is created then.
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
  return transaction(context.db, async (trx) => {
    const kept = items.flatMap(({ requirementId, label }) =>
      requirementId === null ? [] : [{ id: requirementId, label }],
    )
    const before = await lockAll(trx, companyId, kept)
    const changed = await store.updateLabels(trx, companyId, kept)
    const inserted = await store.insertRequirements(
      trx,
      companyId,
      projectId,
      items.filter(({ requirementId }) => requirementId === null).map(({ label }) => ({ ...blank, label })),
    )
    const existing = new Map(changed.map((requirement) => [requirement.id, requirement]))
    const made = inserted.values()
    const requirements = items.map(({ requirementId }) => {
      const requirement = requirementId === null ? made.next().value : existing.get(requirementId)
      if (!requirement) throw new Error('A requirement was neither found nor inserted')
      return requirement
    })
    await insertChecks(
      trx,
      companyId,
      items.flatMap(({ capecIds }, index) => capecIds.map((capecId) => newCheck(requirements[index]?.id, capecId))),
    )
    await auditAll(
      trx,
      context,
      requirements.map((requirement, index) => ({
        companyId,
        object: `Requirement ${requirement.id}`,
        before: before.get(requirement.id),
        after: { ...requirement, capecIds: items[index]?.capecIds },
      })),
    )
    return requirements
  })
}

const blank = { description: null, type: 'Requirements', global: false, projectTypeIds: [] } as const

function readItems(given: readonly ThreatModelingRequirementItemInput[]): Item[] {
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

/** Other companies' projects and missing ones get the same answer. */
async function requireProject(context: Context, companyId: Id, projectId: Id): Promise<void> {
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
