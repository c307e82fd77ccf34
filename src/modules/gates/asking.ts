// Requests new verdicts on all deploys of an asset or a company after a change that is not an event of a single deploy.

import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import { JUDGE_ALL_TASK } from '../events/service.ts'

/** `assetId` null: the whole company. */
export type Owner = { companyId: Id; assetId: Id | null }

export const askForVerdicts = (trx: Trx, { companyId, assetId }: Owner): Promise<void> =>
  enqueue(trx, JUDGE_ALL_TASK, { companyId, assetId }, `judge ${companyId}/all of ${assetId ?? 'all'} at once`)
