// Assets: who may see and change them, and what other modules ask of them.

import { transaction, violates } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, conflict, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import * as store from './store.ts'

export type { Asset, AssetChange, AssetSearch } from './store.ts'

/** Assets by id, for fields of other records that name one; only those that the viewer sees. */
export const loadAssets = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Asset>> =>
  new Map((await store.findAssets(context.db, context.viewer, ids)).map((asset) => [asset.id, asset]))

/** The asset, when the viewer may do `action` in its company; NOT_FOUND for one that is foreign or missing. */
export const authorizeAsset = (
  context: Context,
  action: Parameters<typeof authorizeRecord>[1],
  id: Id,
): Promise<store.Asset> =>
  authorizeRecord(context, action, 'Asset', id, async () => {
    const [asset] = await store.findAssets(context.db, context.viewer, [id])
    return asset ?? null
  })

/** The assets with these ids, in their order; NOT_FOUND of the first that is not the company's. */
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
  search: store.AssetSearch,
): Promise<Page<store.Asset>> {
  await authorize(context, 'assets:read', companyId)
  return store.listAssets(context.db, companyId, page, search)
}

export const getAsset = (context: Context, id: Id): Promise<store.Asset> => authorizeAsset(context, 'assets:read', id)

export async function createAsset(
  context: Context,
  companyId: Id,
  input: store.AssetChange & { name: string },
): Promise<store.Asset> {
  await authorize(context, 'assets:write', companyId)
  const name = readName(input.name)
  return transaction(context.db, async (trx) => {
    const asset = await store.insertAsset(trx, companyId, name, input).catch(refuseTakenName)
    await audit(trx, context, { companyId, object: `Asset ${asset.id}`, after: asset })
    return asset
  })
}

function readName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > 500) throw badUserInput('name has 1 to 500 characters', 'input.name')
  return trimmed
}

function refuseTakenName(error: unknown): never {
  if (violates(error, 'asset_company_id_name_key')) throw conflict('Another asset of this company has this name')
  throw error
}
