// Holds off everything that reports or deploys findings of an asset, for a report that is written in parts.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { stripesOf } from './locks.ts'
import { lockBuckets } from './store-known.ts'

/** Until the transaction ends; all locks of the asset in one step, so that later parts wait for nobody. */
export const holdAsset = (trx: Trx, companyId: Id, assetId: Id): Promise<void> =>
  lockBuckets(trx, companyId, [assetId], stripesOf(companyId, assetId))
