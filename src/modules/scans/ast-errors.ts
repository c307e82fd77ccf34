// Errors that clients report about themselves, stored for support: shortened, and only the latest.

import { transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { LONGEST_TEXT } from '../../core/text.ts'
import { audit, authorize } from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import * as store from './store-configurations.ts'

/** The most errors stored for each asset, and for reports without an asset. */
const MOST_KEPT = 100

/** Stores the end of a client's log. */
export async function logAstError(context: Context, companyId: Id, assetId: Id | null, given: string): Promise<void> {
  await authorize(context, 'scans:write', companyId)
  if (assetId !== null) await requireAssets(context, companyId, [assetId])
  const log = given.replaceAll('\0', '').slice(-LONGEST_TEXT).toWellFormed()
  await transaction(context.db, async (trx) => {
    const id = await store.insertAstError(trx, { companyId, assetId, log, userId: context.viewer.userId }, MOST_KEPT)
    await audit(trx, context, { companyId, object: `AstError ${id}`, after: { assetId, length: log.length } })
  })
}

export async function listAstErrors(
  context: Context,
  companyId: Id,
  assetId: Id | null,
  page: PageRequest,
): Promise<Page<store.AstError>> {
  await authorize(context, 'scans:read', companyId)
  if (assetId !== null) await requireAssets(context, companyId, [assetId])
  return store.listAstErrors(context.db, companyId, assetId, page)
}
