// The requirements of projects: written for the project, or copied from one of the company's.

import { type Trx, transaction } from '../../core/db/open.ts'
import { badUserInput } from '../../core/errors.ts'
import { type Id, parseIds } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { audit, authorizeRecord } from '../access/service.ts'
import type { CreateProjectRequirementInput, UpdateProjectRequirementInput } from '../api.generated.ts'
import type { Context } from '../context.ts'
import { authorizeProject } from '../projects/service.ts'
import { type GivenActivity, readActivities, writeActivities } from './activities.ts'
import { lockRequirement } from './locked.ts'
import * as store from './store.ts'
import { findChecks, insertChecks } from './store-checks.ts'

/** The most requirements shown for one project. */
const MOST_SHOWN = 1000

/** project → its requirements, oldest first. */
export async function loadProjectRequirements(
  context: Context,
  projectIds: readonly string[],
): Promise<Map<string, store.Requirement[]>> {
  const found = await store.findProjectRequirements(context.db, context.viewer, projectIds, MOST_SHOWN)
  return Map.groupBy(found, ({ projectId }) => projectId ?? '')
}

export async function listProjectRequirements(context: Context, projectId: Id): Promise<store.Requirement[]> {
  await authorizeProject(context, 'requirements:read', projectId)
  return (await loadProjectRequirements(context, [projectId])).get(projectId) ?? []
}

/**
 * Creates a requirement of a project. With `requirementId` it is copied from one of the company's: attack patterns become checks, and
 * checks that people carry out become activities.
 */
export async function createProjectRequirement(
  context: Context,
  projectId: Id,
  requirementId: Id | null,
  input: CreateProjectRequirementInput,
): Promise<store.Requirement> {
  const { companyId } = await authorizeProject(context, 'requirements:write', projectId)
  const label = readName(input.label, 'input.label')
  const description = readText(input.description ?? null, 'input.description')
  const activities = readActivities(input.activities ?? [])
  if (activities.some(({ id }) => id !== null)) {
    throw badUserInput('A new requirement has no activities yet that an id could name', 'input.activities')
  }
  return transaction(context.db, async (trx) => {
    const origin = requirementId === null ? null : await lockRequirement(trx, companyId, requirementId)
    const { type = 'Requirements', global = false } = origin ?? {}
    const [made] = await store.insertRequirements(trx, companyId, projectId, [
      { label, description: description ?? origin?.description ?? null, type, global, projectTypeIds: [] },
    ])
    if (!made) throw new Error('A requirement was not inserted')
    const taken = origin === null ? [] : await takeOver(trx, context, origin, made)
    await writeActivities(trx, context, { companyId, requirementId: made.id }, [...taken, ...activities], [])
    const after = { ...made, activities: [...taken, ...activities].map(({ title }) => title) }
    await audit(trx, context, { companyId, object: `ProjectRequirement ${made.id}`, after })
    return made
  })
}

/** Copies the checks with attack patterns of a requirement, and returns its other checks as activities. */
async function takeOver(
  trx: Trx,
  context: Context,
  origin: store.Requirement,
  made: store.Requirement,
): Promise<GivenActivity[]> {
  const checks = await findChecks(trx, context.viewer, [origin.id])
  const patterns = checks.filter(({ capecId }) => capecId !== null)
  await insertChecks(
    trx,
    made.companyId,
    patterns.map((check) => ({ ...check, requirementId: made.id })),
  )
  return checks
    .filter(({ capecId }) => capecId === null)
    .map(({ label, description, reference, sort }) => ({ id: null, title: label, description, reference, sort }))
}

/** Changes a project's requirement; fields that are left out stay as they are. */
export async function updateProjectRequirement(
  context: Context,
  id: Id,
  input: UpdateProjectRequirementInput,
): Promise<store.Requirement> {
  const { companyId } = await authorizeProjectRequirement(context, id)
  const label = input.label ?? undefined
  const change = {
    label: label === undefined ? undefined : readName(label, 'input.label'),
    description: readText(input.description, 'input.description'),
  }
  const activities = readActivities(input.activities ?? [])
  const removed = parseIds(input.removeActivityIds ?? [], 'input.removeActivityIds')
  return transaction(context.db, async (trx) => {
    const before = await lockRequirement(trx, companyId, id)
    const after = await store.updateRequirement(trx, companyId, id, change)
    await writeActivities(trx, context, { companyId, requirementId: id }, activities, removed)
    await audit(trx, context, {
      companyId,
      object: `ProjectRequirement ${id}`,
      before,
      after: { ...after, activities, removedActivityIds: removed },
    })
    return after
  })
}

/** Deletes a project's requirement with its checks, activities and evidences; returns it as it was. */
export async function deleteProjectRequirement(context: Context, id: Id): Promise<store.Requirement> {
  const { companyId } = await authorizeProjectRequirement(context, id)
  return transaction(context.db, async (trx) => {
    const before = await lockRequirement(trx, companyId, id)
    await store.deleteRequirement(trx, companyId, id)
    await audit(trx, context, { companyId, object: `ProjectRequirement ${id}`, before })
    return before
  })
}

/** The project's requirement; NOT_FOUND also for one of the company's, which belongs to no project. */
const authorizeProjectRequirement = (context: Context, id: Id): Promise<store.Requirement> =>
  authorizeRecord(context, 'requirements:write', 'ProjectRequirement', id, async () => {
    const found = await store.findRequirement(context.db, context.viewer, id)
    return found?.projectId ? found : null
  })
