// Enqueues the review of a new deploy's diff, in the transaction that adds the deploy.

import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { insertReview } from './store-review.ts'
import type { Branch } from './store-standing.ts'

/** The worker's task that reviews a deploy. */
export const REVIEW_TASK = 'review-deploy'

export const askReview = (trx: Trx, branch: Branch, deployId: Id): Promise<void> =>
  insertReview(trx, branch, deployId, REVIEW_TASK)
