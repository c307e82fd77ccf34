// The door to the dynamic scanner: what starts a run that was just recorded.

import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import type { Scan } from './store.ts'
import { insertDynamicRun } from './store-dynamic.ts'

/** The worker's task that runs a scan: `{ companyId, scanId }`. */
export const SCAN_TASK = 'dynamic-scan'

/** Starts the run in the transaction that records it: when this throws, no run is left behind. `startedBy` null: nobody who is still there. */
export async function beginDynamicScan(
  trx: Trx,
  { companyId, id }: Scan,
  targetUrl: string,
  startedBy: Id | null,
): Promise<void> {
  await insertDynamicRun(trx, companyId, id, targetUrl, startedBy)
  await enqueue(trx, SCAN_TASK, { companyId, scanId: id })
}
