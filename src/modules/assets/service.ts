// Assets: who may see and change them, and what other modules ask of them.

import { transaction, violates } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import type { Kind } from '../../core/kinds.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import { type AssetChange, blankAsset, changed, readChange } from './change.ts'
import * as store from './store.ts'
import { type Figures, findFigures } from './store-figures.ts'
import * as list from './store-list.ts'

export { riskScore } from './risk-score.ts'
export type { Asset } from './store.ts'
export type { AssetOrder, AssetSearch } from './store-list.ts'

/** Assets by id, for fields of other records that name one; only those that the viewer sees. */
export const loadAssets = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Asset>> =>
  new Map((await store.findAssets(context.db, context.viewer, ids)).map((asset) => [asset.id, asset]))

/** The figures of open findings by asset; assets without open findings are left out. */
export const loadFigures = async (context: Context, ids: readonly string[]): Promise<Map<string, Figures>> =>
  new Map((await findFigures(context.db, context.viewer, ids)).map((figures) => [figures.assetId, figures]))

/** The asset, if the viewer may do `action` in its company; NOT_FOUND if it is missing or belongs to another company. */
export const authorizeAsset = (
  context: Context,
  action: Parameters<typeof authorize>[1],
  id: Id,
): Promise<store.Asset> =>
  authorizeRecord(context, action, 'Asset', id, async () => {
    const [asset] = await store.findAssets(context.db, context.viewer, [id])
    return asset ?? null
  })

/** The assets with these ids, in their order; NOT_FOUND for the first that is not the company's. */
export async function requireAssets(context: Context, companyId: Id, ids: readonly Id[]): Promise<store.Asset[]> {
  if (ids.length === 0) return []
  const found = new Map((await store.findCompanyAssets(context.db, companyId, ids)).map((asset) => [asset.id, asset]))
  return ids.map((id) => {
    const asset = found.get(id)
    if (!asset) throw notFound('Asset', id)
    return asset
  })
}

export async function listAssets(
  context: Context,
  companyId: Id,
  page: PageRequest,
  search: list.AssetSearch,
  order: list.AssetOrder | null,
): Promise<Page<store.Asset>> {
  await authorize(context, 'assets:read', companyId)
  if (order !== null && page.after !== null) throw badUserInput('after works only in the list’s default order', 'after')
  return list.listAssets(context.db, companyId, page, search, order)
}

export const getAsset = (context: Context, id: Id): Promise<store.Asset> => authorizeAsset(context, 'assets:read', id)

/** `projectIds`: the complete list of the asset's projects, in the same company; undefined leaves it unchanged. */
type Links = { projectIds: readonly Id[] | undefined }

export async function createAsset(
  context: Context,
  companyId: Id,
  given: AssetChange & { name: string },
  links: Links,
): Promise<store.Asset> {
  await authorize(context, 'assets:write', companyId)
  await authorizeLinks(context, companyId, given, links)
  const fields = changed(blankAsset, readChange(given))
  return transaction(context.db, async (trx) => {
    const asset = await store.insertAsset(trx, companyId, fields).catch(refuseTakenName)
    if (links.projectIds) {
      requireEach(
        'Project',
        links.projectIds,
        await store.replaceAssetProjects(trx, companyId, asset.id, links.projectIds),
      )
    }
    await audit(trx, context, { companyId, object: `Asset ${asset.id}`, after: { ...asset, ...links } })
    return asset
  })
}

/** The fields on which the priority and the due date of an asset's findings depend. */
const worth = ['businessImpact', 'exploitability', 'audience'] as const

/** Changes the given fields. `companyId`, if given, must be the asset's own. */
export async function updateAsset(
  context: Context,
  id: Id,
  companyId: Id | null,
  given: AssetChange,
  links: Links,
): Promise<store.Asset> {
  const asset = await authorizeAsset(context, 'assets:write', id)
  if (companyId !== null && asset.companyId !== companyId) throw notFound('Asset', id)
  await authorizeLinks(context, asset.companyId, given, links)
  const change = readChange(given)
  return transaction(context.db, async (trx) => {
    const before = await store.lockAsset(trx, asset.companyId, id)
    if (!before) throw notFound('Asset', id)
    const after = await store.updateAsset(trx, asset.companyId, id, changed(before, change)).catch(refuseTakenName)
    if (links.projectIds) {
      requireEach(
        'Project',
        links.projectIds,
        await store.replaceAssetProjects(trx, asset.companyId, id, links.projectIds),
      )
    }
    await audit(trx, context, {
      companyId: asset.companyId,
      object: `Asset ${id}`,
      before,
      after: { ...after, ...links },
    })
    if (worth.some((field) => before[field] !== after[field])) {
      const payload = { companyId: asset.companyId, assetId: id }
      await enqueue(trx, 'revalue-company', payload, `revalue-asset ${id}`)
    }
    return after
  })
}

/** Deletes an asset with its findings, deploys and scans; returns its company. */
export async function deleteAsset(context: Context, id: Id, companyId: Id | null): Promise<Id> {
  const asset = await authorizeAsset(context, 'assets:delete', id)
  if (companyId !== null && asset.companyId !== companyId) throw notFound('Asset', id)
  return transaction(context.db, async (trx) => {
    const before = await store.lockAsset(trx, asset.companyId, id)
    if (!before) throw notFound('Asset', id)
    await store.deleteAsset(trx, asset.companyId, id)
    await audit(trx, context, { companyId: asset.companyId, object: `Asset ${id}`, before })
    return asset.companyId
  })
}

async function authorizeLinks(context: Context, companyId: Id, { integrationIds }: AssetChange, { projectIds }: Links) {
  if (projectIds !== undefined) await authorize(context, 'projects:write', companyId)
  if (integrationIds?.length) await context.upward.requireIntegrations(context, companyId, integrationIds)
}

function requireEach(kind: Kind, wanted: readonly Id[], found: readonly Id[]): void {
  const missing = wanted.find((id) => !found.includes(id))
  if (missing !== undefined) throw notFound(kind, missing)
}

function refuseTakenName(error: unknown): never {
  if (violates(error, 'asset_company_id_name_key')) throw conflict('Another asset of this company has this name')
  throw error
}
