// Runs of scanners: who may see them, how clients drive them, and what other modules need of scans.

import { transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { readText } from '../../core/text.ts'
import { audit, authorize, authorizeRecord } from '../access/service.ts'
import type { ToolTypeCategory } from '../api.generated.ts'
import { authorizeAsset, requireAssets } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { hasEnded, isComplete, requireState, type ScanState } from './states.ts'
import * as store from './store.ts'

export { listAstErrors, logAstError } from './ast-errors.ts'
export {
  createOrUpdateScannerConfiguration,
  deleteScannerConfiguration,
  getScannerConfiguration,
} from './configurations.ts'
export {
  beginRun,
  countReported,
  endRun,
  type OpenedDast,
  openDast,
  openPartialRun,
  openRun,
  type RunEnd,
} from './runs.ts'
export type { Scan, ScanFilter, ScanOrder } from './store.ts'
export {
  type AstError,
  findRunConfiguration,
  findScheduled,
  type RunConfiguration,
  type ScannerConfiguration,
  takeMinute,
} from './store-configurations.ts'

const LONGEST_REASON = 10_000

/** run → how many findings it touched. */
export const loadCounts = async (context: Context, ids: readonly string[]): Promise<Map<string, store.FindingCounts>> =>
  new Map((await store.countFindings(context.db, context.viewer, ids)).map((counts) => [counts.id, counts]))

/** Scans by id, for fields of other records that refer to them; only those that the viewer sees. */
export const loadScans = async (context: Context, ids: readonly string[]): Promise<Map<string, store.Scan>> =>
  new Map((await store.findScans(context.db, context.viewer, ids)).map((scan) => [scan.id, scan]))

const authorizeScan = (context: Context, action: 'scans:read' | 'scans:write' | 'scans:delete', id: Id) =>
  authorizeRecord(context, action, 'ControlSyncStatus', id, () => store.findScan(context.db, context.viewer, id))

export const getScan = (context: Context, id: Id): Promise<store.Scan> => authorizeScan(context, 'scans:read', id)

export async function listScans(
  context: Context,
  companyId: Id,
  filter: store.ScanFilter,
  order: readonly store.ScanOrder[],
  page: PageRequest,
): Promise<Page<store.Scan>> {
  await authorize(context, 'scans:read', companyId)
  if (order.length > 0 && page.after !== null)
    throw badUserInput('after works only in the list’s default order', 'after')
  if (new Set(order.map(({ field }) => field)).size < order.length) {
    throw badUserInput('A list can be sorted by each field only once', 'sortOptions')
  }
  if (filter.assetIds) await requireAssets(context, companyId, filter.assetIds)
  return store.listScans(context.db, companyId, filter, order, page)
}

type NewScan = { assetId: Id; integration: ToolTypeCategory; externalVulnerabilityCount: number | null }

export async function createScan(context: Context, input: NewScan): Promise<store.Scan> {
  const { companyId } = await authorizeAsset(context, 'scans:write', input.assetId)
  const externalVulnerabilityCount = readCount(input.externalVulnerabilityCount, 'externalVulnerabilityCount') ?? 0
  return transaction(context.db, async (trx) => {
    const scan = await store.insertScan(trx, companyId, { ...input, externalVulnerabilityCount })
    await audit(trx, context, { companyId, object: `ControlSyncStatus ${scan.id}`, after: scan })
    return scan
  })
}

type ScanChange = {
  externalVulnerabilityCount: number | null
  status: ScanState | null
  failureReason: string | null
}

/** Changes the values that are not null. Setting the count of findings starts the run, and ends it if as many were reported already. */
export async function updateScan(context: Context, id: Id, change: ScanChange): Promise<store.Scan> {
  const { companyId } = await authorizeScan(context, 'scans:write', id)
  const external = readCount(change.externalVulnerabilityCount, 'externalVulnerabilityCount')
  readText(change.failureReason, 'input.failureReason', LONGEST_REASON)
  return transaction(context.db, async (trx) => {
    const before = await store.lockScan(trx, companyId, id)
    if (!before) throw notFound('ControlSyncStatus', id)
    const counts = { ...before, externalVulnerabilityCount: external ?? before.externalVulnerabilityCount }
    const status = change.status ?? (external === null ? before.status : stateAfter(counts))
    requireState(before.status, status)
    if (external !== null && before.status === 'CANCELED') throw canceled(id)
    const after = await store.updateScan(trx, before, {
      status,
      isEnded: hasEnded(status),
      externalVulnerabilityCount: counts.externalVulnerabilityCount,
      failureReason: change.failureReason ?? before.failureReason,
    })
    await audit(trx, context, { companyId, object: `ControlSyncStatus ${id}`, before, after })
    return after
  })
}

/** The state of a run after its client has set the number of findings. */
function stateAfter(scan: store.Scan): ScanState {
  if (hasEnded(scan.status)) return scan.status
  return isComplete(scan) ? 'SUCCEEDED' : 'RUNNING'
}

type ScanIncrease = {
  assetId: Id | null
  integration: ToolTypeCategory | null
  successCount: number | null
  failureCount: number | null
  failureReason: string | null
}

/**
 * Adds to a run's counts. The run succeeds when all findings of the tool have been reported, and fails on the first failure. Reports still
 * count after it has ended; after it was canceled they are FAILED_PRECONDITION.
 */
export async function increaseScanCount(context: Context, id: Id, input: ScanIncrease): Promise<store.Scan> {
  const scan = await authorizeScan(context, 'scans:write', id)
  if (input.assetId !== null && input.assetId !== scan.assetId) throw notFound('Asset', input.assetId)
  if (input.integration !== null && input.integration !== scan.integration) {
    throw badUserInput(`The run is one of ${scan.integration}`, 'input.integration')
  }
  const increase = {
    successCount: readCount(input.successCount, 'successCount') ?? 0,
    failureCount: readCount(input.failureCount, 'failureCount') ?? 0,
    failureReason: readText(input.failureReason, 'input.failureReason', LONGEST_REASON),
  }
  return transaction(context.db, async (trx) => {
    const after = await store.increaseCounts(trx, scan, increase)
    if (!after) throw canceled(id)
    const change = { object: `ControlSyncStatus ${id}`, after: { ...after, increasedBy: increase } }
    await audit(trx, context, { companyId: scan.companyId, ...change })
    return after
  })
}

export const cancelScan = (context: Context, id: Id): Promise<store.Scan> =>
  updateScan(context, id, { status: 'CANCELED', externalVulnerabilityCount: null, failureReason: null })

/** Deletes a run; its findings stay. */
export async function deleteScan(context: Context, id: Id): Promise<Id> {
  const { companyId } = await authorizeScan(context, 'scans:delete', id)
  return transaction(context.db, async (trx) => {
    const before = await store.lockScan(trx, companyId, id)
    if (!before) throw notFound('ControlSyncStatus', id)
    await store.deleteScan(trx, before)
    await audit(trx, context, { companyId, object: `ControlSyncStatus ${id}`, before })
    return id
  })
}

const canceled = (id: Id) => failedPrecondition(`Run ${id} was canceled`)

function readCount(count: number | null, field: string): number | null {
  if (count === null || (count >= 0 && count <= 10_000_000)) return count
  throw badUserInput(`${field} is a number from 0 to 10000000`, `input.${field}`)
}
