// Links between assets and projects of outside tools: who may create them, and what follows from one.

import { type Trx, transaction, violates } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { conflict, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import { authorizeAsset } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { findIntegration, openForWork } from '../integrations/service.ts'
import { type ByHand, ensureHook } from './hooks.ts'
import { askLook, askReport } from './jobs-of.ts'
import * as store from './store.ts'
import { findHooksOf, type Hook } from './store-hooks.ts'

export { ensureTrackerHook } from './hooks.ts'
export type { Association } from './store.ts'

export async function listAssociations(
  context: Context,
  companyId: Id,
  of: { assetId: Id | null; integrationId: Id | null },
  page: PageRequest,
): Promise<Page<store.Association>> {
  await authorize(context, 'integrations:read', companyId)
  return store.listAssociations(context.db, companyId, of, page)
}

/** The key of an association for loadHooks. */
export const hookKey = ({ companyId, id }: Pick<store.Association, 'companyId' | 'id'>): string => `${companyId}/${id}`
export async function loadHooks(context: Context, keys: readonly string[]): Promise<Map<string, Hook>> {
  const pairs = keys.map((key) => key.split('/'))
  const companyIds = [...new Set(pairs.map(([companyId = '']) => companyId))]
  const found = await findHooksOf(
    context.db,
    companyIds,
    pairs.map(([, id = '']) => id),
  )
  return new Map(found.map((hook) => [`${hook.companyId}/${hook.associationId}`, hook]))
}

type NewAssociation = { assetId: Id; integrationId: Id; externalProjectId: string; name: string | null }

/**
 * Links an asset to a project of an outside tool. For a source host it looks up the project, and registers a webhook. `byHand`: what a
 * person must enter at the host if the service cannot register it.
 */
export async function associateProject(
  context: Context,
  given: NewAssociation,
): Promise<{ association: store.Association; byHand: ByHand | null }> {
  const { companyId } = await authorizeAsset(context, 'integrations:write', given.assetId)
  const asked = readName(given.externalProjectId, 'input.externalProjectId', 500)
  const integration = await findIntegration(context.db, companyId, given.integrationId)
  if (!integration) throw notFound('Integration', given.integrationId)
  const opened = await openForWork(context, companyId, given.integrationId, 'CALLER')
  const { source, scanner } = opened.connector
  scanner?.requireProjectId(asked)
  const found = source
    ? await source.getProject(opened.session, asked)
    : { id: asked, name: readText(given.name, 'input.name', 500)?.trim() || asked }
  const place = { companyId, assetId: given.assetId, integrationId: given.integrationId, externalProjectId: found.id }
  const association = await transaction(context.db, async (trx) => {
    const row = { ...place, name: found.name, isSource: source !== undefined, createdById: context.viewer.userId }
    const made = await store.insertAssociation(trx, row).catch(refuseSecondSource)
    const { integrationId, externalProjectId } = place
    const object = `Asset ${given.assetId}`
    await audit(trx, context, {
      companyId,
      object,
      after: { associated: { integrationId, externalProjectId, name: found.name }, isNew: made !== null },
    })
    const there = made ?? (await store.findAt(trx, place))
    if (!there) throw failedPrecondition('The association has been removed in the meantime')
    if (made?.isSource) await askLook(trx, made)
    return there
  })
  if (!source) return { association, byHand: null }
  const { byHand, failure } = await ensureHook(context, opened, association)
  await store.noteOutcome(context.db, association, failure)
  return { association: { ...association, failure }, byHand }
}

function refuseSecondSource(error: unknown): never {
  if (violates(error, 'external_project_source'))
    throw conflict('The asset already has a repository; dissociate that one first')
  throw error
}

/** Removes the link; a job removes its webhook from the host. */
export async function dissociateProject(context: Context, id: Id): Promise<Id> {
  const association = await authorizeRecord(context, 'integrations:write', 'AssociatedProject', id, () =>
    store.findSeen(context.db, context.viewer, id),
  )
  const { companyId, assetId, integrationId, externalProjectId, name } = association
  return transaction(context.db, async (trx) => {
    await store.deleteAssociation(trx, association)
    const before = { associated: { integrationId, externalProjectId, name } }
    await audit(trx, context, { companyId, object: `Asset ${assetId}`, before })
    return id
  })
}

/** Enqueues a poll of the asset's repository; false if it has none. */
export async function lookAtSource(trx: Trx, companyId: Id, assetId: Id): Promise<boolean> {
  const association = await store.findSource(trx, companyId, assetId)
  if (association) await askLook(trx, association)
  return association !== null
}

/** Enqueues the report of a deploy's verdict to the asset's repository, if it has one. */
export async function askReportOfVerdict(
  trx: Trx,
  { companyId, id, assetId }: { companyId: Id; id: Id; assetId: Id },
): Promise<void> {
  if (await store.findSource(trx, companyId, assetId)) await askReport(trx, companyId, id)
}
