// Matches a staged report with the known findings of its asset and records the result, all or nothing.

import { byKeys } from '../../core/db/by-keys.ts'
import { planAnew } from '../../core/db/driver.ts'
import type { Trx } from '../../core/db/open.ts'
import { analyseSmall } from '../../core/db/statistics.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import {
  hasOneTool,
  type RecordedInBulk as Recorded,
  recordInBulk,
  recordReports,
  reportAskOf,
  type Scan,
  type Settling,
  settleKept,
  takeWords,
} from '../issues/findings/service.ts'
import { conclude, emptyCounts, GROWING, holdScan, requireTakeable } from './conclude.ts'
import { type Group, groupsOf } from './groups.ts'
import { countOpen, rowsOf } from './rows.ts'
import type { Staged } from './staged.ts'
import { endAbsent, takeStatements } from './statements.ts'
import { type Asked, type Counts, countOf, type Import } from './store.ts'
import { insertRows } from './store-rows.ts'
import { insertSeen, requireScopes } from './store-scopes.ts'
import type { ImportKey } from './store-stage.ts'
import { unchangedOf } from './unchanged.ts'

/** Findings from which on it pays to ask first whether others of the asset may be of another tool, which reads all that it has. */
const MANY = 2_000

/** The staged report, and the options of its import. */
type Applying = { key: ImportKey; staged: Staged; asked: Asked; onProgress: (recorded: number) => Promise<void> }

/** Records every finding, and concludes the import. Throws as requireTakeable, holdScan and conclude. */
export async function applyReport(trx: Trx, outer: Context, applying: Applying): Promise<Import> {
  const { key, staged, asked } = applying
  requireTakeable(staged, asked)
  const context = { ...outer, db: trx, loaders: new Map() }
  if (staged.findings > GROWING) await planAnew(trx)
  const held = await holdScan(trx, context, key, asked)
  const scan = staged.statements > 0 ? { ...held, hasStatements: true } : held
  const scopeIds = await requireScopes(trx, scan, staged.format, staged.sections)
  const counts = emptyCounts(staged)
  const stillOpen = await recordFindings(trx, context, scan, scopeIds, counts, applying)
  if (asked.closeAbsent) await endAbsent(trx, context, key, scan, staged)
  return conclude(trx, context, { key, asked, staged, scan, scopeIds, counts, stillOpen })
}

/** Returns, by section, how many of the report's findings were open before. */
async function recordFindings(
  trx: Trx,
  context: Context,
  scan: Scan,
  scopeIds: readonly Id[],
  counts: Counts,
  { key, asked, staged, onProgress }: Applying,
): Promise<number[]> {
  const stillOpen = staged.sections.map(() => 0)
  let seen = new Map<Id, string>()
  let done = 0
  if (staged.findings + staged.statements === 0) return stillOpen
  const origin = { scan, reportAsk: reportAskOf(asked.ask), scopeIds }
  for await (const unchanged of unchangedOf(trx, key, origin, staged.findings)) {
    for (const { section, count, open } of unchanged) {
      counts.unchanged += count
      stillOpen[section] = (stillOpen[section] ?? 0) + open
      done += count
    }
    await onProgress(done)
  }
  if (done === staged.findings && staged.statements === 0) return stillOpen
  const isAlone =
    staged.findings - done >= MANY &&
    (await hasOneTool(trx, scan, [...new Set(staged.sections.map(({ tool }) => tool))]))
  await byKeys(trx, async () => {
    for await (const read of groupsOf(trx, key)) {
      if (read.extent === 'WHOLE' || read.isFirst) seen = new Map()
      const stated = await takeStatements(trx, context, { key, scan, staged }, read.rows)
      const group = { ...read, rows: stated.rest }
      const recorded = await recordGroup(trx, context, group, { scan, ask: asked.ask }, seen, isAlone)
      await settle(trx, context, group, recorded, asked.mayDecide ?? false)
      const decided = scan.isOlder ? new Set<Id>() : await takeDecisions(trx, context, scan, group, recorded)
      const rows = rowsOf(group.rows, recorded, new Set([...stated.changed, ...decided]), seen)
      const createdBefore = counts.created
      for (const { disposition } of rows) counts[countOf[disposition]] += 1
      if (createdBefore <= GROWING && counts.created > GROWING) await analyseSmall(trx)
      countOpen(group.rows, recorded, rows, stillOpen)
      for (const { disposition } of stated.answered) if (disposition !== 'LEFT_OUT') counts[countOf[disposition]] += 1
      await insertRows(trx, key, [...rows, ...stated.answered])
      const ofScan = recorded.flatMap(({ findingId, branch }, index) =>
        branch === scan.branch ? [{ findingId, scopeId: scopeIds[group.rows[index]?.section ?? -1] ?? '' }] : [],
      )
      const scopes = ofScan.map(({ scopeId }) => scopeId)
      const issues = ofScan.map(({ findingId }) => findingId)
      await insertSeen(trx, key.companyId, scopes, issues)
      done += read.rows.length
      await onProgress(done)
    }
  })
  return stillOpen
}

/**
 * Records the findings of a group, in their order. Findings exported by another installation carry their own branch: they are recorded
 * branch by branch, and none is matched with a finding that the same report already contained.
 */
async function recordGroup(
  trx: Trx,
  context: Context,
  { rows, extent }: Group,
  { scan, ask }: { scan: Scan; ask: Asked['ask'] },
  before: ReadonlyMap<Id, string>,
  isAlone: boolean,
): Promise<Recorded[]> {
  if (rows.length === 0) return []
  if (rows.every(({ finding }) => finding.kept === undefined)) {
    const findings = rows.map(({ finding }) => finding)
    const reportKeys = rows.map(({ reportKey }) => reportKey)
    return recordInBulk(trx, context, { scan, ask, reportKeys }, findings, { extent, seen: before, isAlone })
  }
  const branches = Map.groupBy(rows.keys(), (index) => rows[index]?.finding.kept?.branch)
  const recorded = new Map<number, Recorded>()
  const seen = branches.size > 1 ? new Set(before.keys()) : before
  for (const [branch, members] of branches) {
    const own = branch === undefined ? ask : { ...ask, branchName: branch || null, commitRef: null, deployId: null }
    const reports = members.flatMap((index) => {
      const finding = rows[index]?.finding
      return finding ? [{ ask: own, finding }] : []
    })
    const results = await recordReports(context, reports, { mode: 'MATCH', extent, isAudited: false, seen })
    for (const [at, result] of results.entries()) {
      if (result instanceof ApplicationError) throw result
      recorded.set(members[at] ?? -1, result)
      if (seen instanceof Set) seen.add(result.findingId)
    }
  }
  return rows.flatMap((_, index) => recorded.get(index) ?? [])
}

/** Restores, for new findings, the decisions and branches that another installation exported with them. */
async function settle(trx: Trx, context: Context, { rows }: Group, recorded: readonly Recorded[], mayDecide: boolean) {
  const settling = recorded.flatMap(({ issue, outcome }, index): Settling[] => {
    const kept = rows[index]?.finding.kept
    return kept && outcome === 'CREATED' ? [{ issue, kept }] : []
  })
  const [first] = settling
  const said = { authorId: context.viewer.userId, mayDecide }
  if (first) await settleKept(trx, first.issue.companyId, settling, said)
}

/**
 * Applies the report's own decisions: for an issue with several rows only if all agree, for one with several witnesses never. VEX statements
 * have been applied already.
 */
function takeDecisions(trx: Trx, context: Context, scan: Scan, { rows }: Group, recorded: readonly Recorded[]) {
  const words = new Map<Id, Parameters<typeof takeWords>[2][number]>()
  for (const [index, { issue, isShared }] of recorded.entries()) {
    if (rows[index]?.statement) continue
    const decision = isShared ? null : (rows[index]?.decision ?? null)
    const said = words.get(issue.id)
    const isAgreed = said === undefined || said.decision?.status === decision?.status
    if (!said || !isAgreed) words.set(issue.id, { issue, decision: isAgreed ? decision : null })
  }
  const { scanId, deployId, companyId } = scan
  return takeWords(trx, companyId, [...words.values()], { authorId: context.viewer.userId, scanId, deployId })
}
