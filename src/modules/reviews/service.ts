// Reviews of deploys: their results, and where reviews are turned on and off.

import { type Db, transaction } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorize } from '../access/service.ts'
import { requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import * as store from './store.ts'

export type { Review, Shortfall } from './store.ts'

/** The reviews of deploys by the deploy's id; only those that the viewer sees. */
export const loadReviews = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Review>> =>
  new Map((await store.findReviews(context.db, context.viewer, ids)).map((review) => [review.deployId, review]))

export async function listSettings(context: Context, companyId: Id): Promise<store.Setting[]> {
  await authorize(context, 'gates:read', companyId)
  return store.listSettings(context.db, companyId)
}

/** Turns the review of new deploys on or off for a company or an asset, and returns the setting that then applies. */
export async function setReview(
  context: Context,
  companyId: Id,
  assetId: Id | null,
  isOn: boolean | null,
): Promise<store.Setting[]> {
  await authorize(context, 'gates:write', companyId)
  if (assetId !== null) await requireAssets(context, companyId, [assetId])
  return transaction(context.db, async (trx) => {
    const before = await store.listSettings(trx, companyId)
    await store.saveSetting(trx, companyId, assetId, isOn)
    const after = await store.listSettings(trx, companyId)
    await audit(trx, context, { companyId, object: `DeployReviewSetting ${assetId ?? companyId}`, before, after })
    return after
  })
}

/** Whether the deploy's review is still pending or running. */
export const isUnderReview = (db: Db, key: store.ReviewKey): Promise<boolean> => store.isOpen(db, key)

/** The incomplete reviews among these deploys, for other modules, which have checked the permission. */
export const { findShortfalls } = store
