// Applications, which group the assets of a company: who may see and change them.

import { readUrl } from '../../core/address.ts'
import { type Trx, transaction, violates } from '../../core/db/open.ts'
import { conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readName, readText } from '../../core/text.ts'
import { audit, authorize } from '../access/service.ts'
import type { Context } from '../context.ts'
import { requireAssets } from './service.ts'
import * as store from './store-applications.ts'

export type { Application } from './store-applications.ts'

/** The API does not page this list; a company with more applications narrows it by name. */
const MOST_LISTED = 1000

export async function listApplications(context: Context, companyId: Id, namePart: string | null) {
  await authorize(context, 'applications:read', companyId)
  return store.listApplications(context.db, companyId, namePart, MOST_LISTED)
}

export async function getApplication(context: Context, companyId: Id, id: Id): Promise<store.Application> {
  await authorize(context, 'applications:read', companyId)
  const found = await store.findApplication(context.db, companyId, id)
  if (!found) throw notFound('Application', id)
  return found
}

/** application id → the ids of its assets; applications without assets are left out. */
export const loadAssetIds = async (context: Context, ids: readonly string[]): Promise<Map<string, readonly Id[]>> =>
  new Map(
    (await store.findApplicationAssets(context.db, context.viewer, ids)).map((row) => [
      row.applicationId,
      row.assetIds,
    ]),
  )

/** Undefined leaves a value unchanged, null clears it (except the name); `assetIds` replaces the complete list. */
type ApplicationChange = {
  name?: string | null
  description?: string | null
  url?: string | null
  assetIds?: readonly Id[] | null
}

export async function createApplication(
  context: Context,
  companyId: Id,
  given: ApplicationChange & { name: string },
): Promise<store.Application> {
  await authorize(context, 'applications:write', companyId)
  const fields = changed({ name: '', description: null, url: null }, given)
  const assetIds = given.assetIds ?? []
  await requireAssets(context, companyId, assetIds)
  return transaction(context.db, async (trx) => {
    const made = await store.insertApplication(trx, companyId, fields).catch(refuseTakenName)
    await store.insertApplicationAssets(trx, companyId, made.id, assetIds)
    await audit(trx, context, { companyId, object: `Application ${made.id}`, after: { ...made, assetIds } })
    return made
  })
}

export async function updateApplication(context: Context, companyId: Id, id: Id, given: ApplicationChange) {
  const assetIds = given.assetIds === undefined ? undefined : (given.assetIds ?? [])
  await authorize(context, 'applications:write', companyId)
  return change(context, companyId, id, assetIds ?? [], async (trx, before) => {
    const after = await store.updateApplication(trx, companyId, id, changed(before, given)).catch(refuseTakenName)
    if (assetIds) await store.replaceApplicationAssets(trx, companyId, id, assetIds)
    return { application: after, after: { ...after, assetIds } }
  })
}

/** Adds assets to the application; assets that it has already are ignored. */
export async function addApplicationAssets(context: Context, companyId: Id, id: Id, assetIds: readonly Id[]) {
  await authorize(context, 'applications:write', companyId)
  return change(context, companyId, id, assetIds, async (trx, application) => {
    await store.insertApplicationAssets(trx, companyId, id, assetIds)
    return { application, after: { added: assetIds } }
  })
}

/** Removes assets from the application; assets that it does not have are ignored. */
export async function removeApplicationAssets(context: Context, companyId: Id, id: Id, assetIds: readonly Id[]) {
  await authorize(context, 'applications:write', companyId)
  return change(context, companyId, id, assetIds, async (trx, application) => {
    await store.deleteApplicationAssets(trx, companyId, id, assetIds)
    return { application, after: { removed: assetIds } }
  })
}

/** Deletes an application; its assets stay. */
export async function deleteApplication(context: Context, companyId: Id, id: Id): Promise<store.Application> {
  await authorize(context, 'applications:write', companyId)
  return change(context, companyId, id, [], async (trx, application) => {
    await store.deleteApplication(trx, companyId, id)
    return { application, after: undefined }
  })
}

type Changed = { application: store.Application; after: unknown }

/** Runs `apply` on the locked application and audits its result; NOT_FOUND for the first asset of another company. */
async function change(
  context: Context,
  companyId: Id,
  id: Id,
  assetIds: readonly Id[],
  apply: (trx: Trx, before: store.Application) => Promise<Changed>,
): Promise<store.Application> {
  await requireAssets(context, companyId, assetIds)
  return transaction(context.db, async (trx) => {
    const before = await store.lockApplication(trx, companyId, id)
    if (!before) throw notFound('Application', id)
    const { application, after } = await apply(trx, before)
    await audit(trx, context, { companyId, object: `Application ${id}`, before, after })
    return application
  })
}

function changed(before: store.ApplicationFields, given: ApplicationChange): store.ApplicationFields {
  const description = readText(given.description, 'input.description')
  const url = readUrl(given.url, 'input.url')
  return {
    name: given.name === undefined || given.name === null ? before.name : readName(given.name, 'input.name'),
    description: description === undefined ? before.description : description,
    url: url === undefined ? before.url : url,
  }
}

function refuseTakenName(error: unknown): never {
  if (violates(error, 'application_company_id_name_key')) {
    throw conflict('Another application of this company has this name')
  }
  throw error
}
