// Locks an asset against all other reports and deploys, for a report that is written in parts.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { stripesOf } from './locks.ts'
import { lockBuckets, tryBuckets } from './store-known.ts'

/** Takes all locks of the asset at once, until the transaction ends, so that later parts never wait. */
export const holdAsset = (trx: Trx, companyId: Id, assetId: Id): Promise<void> =>
  lockBuckets(trx, companyId, [assetId], stripesOf(companyId, assetId))

/**
 * As holdAsset, without waiting: false if another transaction has a lock of the asset. The caller must then roll back, because some of the
 * locks may have been taken.
 */
export const holdFreeAsset = (trx: Trx, companyId: Id, assetId: Id): Promise<boolean> =>
  tryBuckets(trx, companyId, assetId, stripesOf(companyId, assetId))
