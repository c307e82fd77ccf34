// Runs that the platform itself drives: its jobs start and end them, in the transaction that stores their results.

import type { Trx } from '../../core/db/open.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { hasEnded } from './states.ts'
import * as store from './store.ts'
import { lockConfiguration, type ScannerConfiguration } from './store-configurations.ts'

/** Creates a run that waits for its job. The caller has checked the permission. */
export const openRun = (
  trx: Trx,
  companyId: Id,
  run: Pick<store.Scan, 'assetId' | 'integration'>,
): Promise<store.Scan> => store.insertScan(trx, companyId, { ...run, externalVulnerabilityCount: 0 })

/** Creates a run that examines only a change, and so proves nothing about the rest of the asset. */
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
 * Creates a run of the platform's own scanner; FAILED_PRECONDITION without a target, and while another run of the asset has not
 * ended. The caller has checked the permission.
 */
export async function openDast(trx: Trx, companyId: Id, assetId: Id): Promise<OpenedDast> {
  const configuration = await lockConfiguration(trx, companyId, assetId)
  if (!configuration?.targetUrl) {
    throw failedPrecondition('The asset has no target URL: set one with createOrUpdateScannerConfiguration')
  }
  const unfinished = await store.findUnfinished(trx, companyId, assetId, 'PLATFORM_DAST')
  if (unfinished !== null) throw failedPrecondition(`Run ${unfinished} of this asset has not finished yet`)
  const run = { assetId, integration: 'PLATFORM_DAST', externalVulnerabilityCount: 0 } as const
  const controlSyncStatus = await store.insertScan(trx, companyId, run)
  return { controlSyncStatus, scannerConfiguration: { ...configuration, targetUrl: configuration.targetUrl } }
}

/** False if the run has ended, because it was canceled meanwhile, or is gone. */
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
  /** the number of findings that the tool has, and of those that were imported and were not */
  external: number
  success: number
  failures: number
  /** one sentence; null if nothing failed */
  reason: string | null
}

/** Ends a run, unless it has ended: a canceled one stays canceled. */
export const endRun = (trx: Trx, companyId: Id, id: Id, end: RunEnd): Promise<void> =>
  store.endScan(trx, companyId, id, end)

/** Sets how many findings the run has reported so far, also of one that was canceled meanwhile. */
export const countReported = (trx: Trx, companyId: Id, id: Id, count: number): Promise<void> =>
  store.countReported(trx, companyId, id, count)
