// Runs that the platform itself drives: begun and ended by its jobs, in the transaction of what they did.

import type { Trx } from '../../core/db/open.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { hasEnded } from './states.ts'
import * as store from './store.ts'
import { lockConfiguration, type ScannerConfiguration } from './store-configurations.ts'

/** A new run that waits for its job. Whether it may be was decided by the caller. */
export const openRun = (
  trx: Trx,
  companyId: Id,
  run: Pick<store.Scan, 'assetId' | 'integration'>,
): Promise<store.Scan> => store.insertScan(trx, companyId, { ...run, externalVulnerabilityCount: 0 })

/** A new run that looks at a change alone, and so proves nothing of the rest of the asset. */
export const openPartialRun = (
  trx: Trx,
  companyId: Id,
  run: Pick<store.Scan, 'assetId' | 'integration'>,
): Promise<store.Scan> => store.insertScan(trx, companyId, { ...run, externalVulnerabilityCount: 0, isPartial: true })

export type OpenedDast = {
  controlSyncStatus: store.Scan
  scannerConfiguration: ScannerConfiguration & { targetUrl: string }
}

/**
 * A new run of the platform's own scanner; FAILED_PRECONDITION without a target, and while another of the asset has not
 * ended. Whether it may be was decided by the caller.
 */
export async function openDast(trx: Trx, companyId: Id, assetId: Id): Promise<OpenedDast> {
  const configuration = await lockConfiguration(trx, companyId, assetId)
  if (!configuration?.targetUrl) {
    throw failedPrecondition('The asset has no target URL: give it one with createOrUpdateScannerConfiguration')
  }
  const unfinished = await store.findUnfinished(trx, companyId, assetId, 'PLATFORM_DAST')
  if (unfinished !== null) throw failedPrecondition(`Run ${unfinished} of this asset has not ended yet`)
  const run = { assetId, integration: 'PLATFORM_DAST', externalVulnerabilityCount: 0 } as const
  const controlSyncStatus = await store.insertScan(trx, companyId, run)
  return { controlSyncStatus, scannerConfiguration: { ...configuration, targetUrl: configuration.targetUrl } }
}

/** False for a run that has ended, because it was canceled meanwhile, or is gone. */
export async function beginRun(trx: Trx, companyId: Id, id: Id): Promise<boolean> {
  const run = await store.lockScan(trx, companyId, id)
  if (!run || hasEnded(run.status)) return false
  await store.updateScan(trx, run, {
    status: 'RUNNING',
    isEnded: false,
    externalVulnerabilityCount: run.externalVulnerabilityCount,
    failureReason: null,
  })
  return true
}

export type RunEnd = {
  status: 'SUCCEEDED' | 'FAILED'
  /** how many the tool has, and how many of them were taken in and were not */
  external: number
  success: number
  failures: number
  /** one sentence; null where nothing failed */
  reason: string | null
}

/** Ends a run, unless it has ended: one that was canceled stays so. */
export const endRun = (trx: Trx, companyId: Id, id: Id, end: RunEnd): Promise<void> =>
  store.endScan(trx, companyId, id, end)
