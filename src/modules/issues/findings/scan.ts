// Resolves the origin of a report: its asset, branch, deploy and commit, with the permission check.

import type { Db, Trx } from '../../../core/db/open.ts'
import { ApplicationError, notFound } from '../../../core/errors.ts'
import type { Id } from '../../../core/ids.ts'
import { authorizeRecord } from '../../access/service.ts'
import type { Context } from '../../context.ts'
import type { ToolRule } from './rules.ts'
import type { KnownFinding } from './store-known.ts'
import { findPassed } from './store-passed.ts'
import { findScans, type ScanAsk, type ScanRow } from './store-scan.ts'

export type Scan = {
  companyId: Id
  assetId: Id
  branch: string
  /** the deploy whose commit was scanned; null if unknown */
  deployId: Id | null
  commit: string | null
  scanId: Id | null
  projectId: Id | null
  /**
   * the deploy of the branch at which what the report has counts as seen; '0', as before the branch's first one, if the deploy tells no position
   * on the branch, because it arrived late or is another branch's
   */
  seenDeployId: Id | null
  /** whether the branch's deploys lead to the scanned commit */
  isExact: boolean
  /** the deploy that went through the commit on the way to where the branch stands, if no deploy ends at it */
  passedId: Id | null
  /** whether the branch has moved on since that commit */
  isOlder: boolean
  /** whether the deploy came when the branch had moved on already */
  isLate: boolean
  headId: Id | null
  breakId: Id | null
  breakAt: string | null
  newestDeployId: Id | null
  /** whether VEX documents state something about components of the asset */
  hasStatements: boolean
  /** the identity rules for some tools; null if all evidence counts */
  rules: readonly ToolRule[] | null
}

/**
 * The scan for each request, or its error: NOT_FOUND for what is missing or another company's, FORBIDDEN. One statement, and one more for
 * each commit that a deploy went through.
 */
export async function findScan(
  context: Context,
  db: Db | Trx,
  asks: readonly ScanAsk[],
): Promise<(Scan | ApplicationError)[]> {
  const distinct = [...new Map(asks.map((ask) => [JSON.stringify(ask), ask])).values()]
  const rows = await findScans(db, context.viewer, distinct)
  const scans = new Map<string, Scan | ApplicationError>()
  for (const [n, ask] of distinct.entries()) scans.set(JSON.stringify(ask), await readScan(context, db, ask, rows[n]))
  return asks.map((ask) => scans.get(JSON.stringify(ask)) ?? notFound('Asset', ask.assetId))
}

/** Turns one row of findScans into a scan, or an error. */
export async function readScan(
  context: Context,
  db: Db | Trx,
  ask: ScanAsk,
  row: ScanRow | undefined,
): Promise<Scan | ApplicationError> {
  try {
    const found = row?.companyId ? { ...row, companyId: row.companyId } : null
    const seen = await authorizeRecord(context, 'issues:write', 'Asset', ask.assetId, async () => found)
    if (ask.deployId !== null && !seen.hasDeploy) throw notFound('Deploy', ask.deployId)
    if (ask.scanId !== null && !seen.hasScan) throw notFound('ControlSyncStatus', ask.scanId)
    if (ask.projectId !== null && !seen.hasProject) throw notFound('Project', ask.projectId)
    return scanOf(ask, seen, await passedIdOf(db, ask, seen))
  } catch (error) {
    if (error instanceof ApplicationError) return error
    throw error
  }
}

type SeenRow = ScanRow & { companyId: Id }

async function passedIdOf(db: Db | Trx, { assetId, commitRef }: ScanAsk, row: SeenRow): Promise<Id | null> {
  const { companyId, branch, headId, headCommit, isPassed } = row
  if (!isPassed || commitRef === null || headId === null || headCommit === null) return null
  return findPassed(db, { companyId, assetId, branch }, { headId, headCommit, commit: commitRef })
}

function scanOf(ask: ScanAsk, row: SeenRow, passedId: Id | null): Scan {
  const saysNothing = ask.deployId === null && ask.commitRef === null
  const deployId = saysNothing ? row.headId : row.deployId
  const isExact = deployId !== null && (saysNothing || row.isOnBranch)
  return {
    companyId: row.companyId,
    assetId: ask.assetId,
    branch: row.branch,
    deployId,
    commit: row.deployCommit ?? ask.commitRef ?? row.headCommit,
    scanId: ask.scanId,
    projectId: ask.projectId,
    seenDeployId: deployId !== null && (!isExact || row.isLate) ? '0' : deployId,
    isExact,
    passedId,
    isLate: row.isLate,
    isOlder: passedId !== null || (deployId !== null && row.headId !== null && deployId !== row.headId),
    headId: row.headId,
    breakId: row.breakId,
    breakAt: row.breakAt,
    newestDeployId: row.newestDeployId,
    hasStatements: row.hasStatements,
    rules: row.rules,
  }
}

/** Whether the branch's deploys tell where a place of the scan is; without a commit there is no deploy yet. */
export const isCountable = ({ isExact, commit }: Scan): boolean => isExact || commit === null

/** Whether a finding was last reported by the present scan: the same run, else the same commit, else the same deploy. */
export function seenAt(known: KnownFinding, scan: Scan): 'HERE' | 'ELSEWHERE' | 'UNKNOWN' {
  if (scan.scanId !== null && known.lastScanId === scan.scanId) return 'HERE'
  if (scan.commit !== null && known.seenCommit !== null) {
    const isSame = scan.commit.startsWith(known.seenCommit) || known.seenCommit.startsWith(scan.commit)
    return isSame ? 'HERE' : 'ELSEWHERE'
  }
  if (scan.deployId !== null && known.seenDeployId !== null) {
    return scan.deployId === known.seenDeployId ? 'HERE' : 'ELSEWHERE'
  }
  return scan.scanId !== null && known.lastScanId !== null ? 'ELSEWHERE' : 'UNKNOWN'
}
