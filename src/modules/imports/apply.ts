// Brings a staged report into the findings of its asset, in one transaction: all of it, or nothing.

import { byKeys } from '../../core/db/by-keys.ts'
import { planAnew } from '../../core/db/driver.ts'
import type { Trx } from '../../core/db/open.ts'
import { ApplicationError, badUserInput, conflict } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit } from '../access/service.ts'
import type { Context } from '../context.ts'
import {
  findScan,
  hasOneTool,
  holdAsset,
  type RecordedInBulk as Recorded,
  recordInBulk,
  recordReports,
  reportAskOf,
  type Scan,
  type Settling,
  settleKept,
  takeWords,
} from '../issues/findings/service.ts'
import { closeWhatIsAbsent, unclosedReasonOf } from './close.ts'
import { cut } from './cut.ts'
import { requireFirst, writeAll } from './first.ts'
import { type Group, groupsOf } from './groups.ts'
import { countOpen, rowsOf } from './rows.ts'
import { LONGEST_REASON, type Staged } from './stage.ts'
import { type Asked, type Counts, finishImport, type Import } from './store.ts'
import { deleteOtherComponents, upsertComponents } from './store-components.ts'
import { type ImportRow, insertLeftOut, insertRows } from './store-rows.ts'
import { insertSeen, requireScopes } from './store-scopes.ts'
import { deleteStaged, type ImportKey } from './store-stage.ts'
import { unchangedOf } from './unchanged.ts'

/** Findings from which on the tables grow so much that a plan which was made before no longer fits. */
const MANY = 100

/** The report as it was staged, and how its import was asked for. */
export type Applying = { key: ImportKey; staged: Staged; asked: Asked; onProgress: (recorded: number) => Promise<void> }

/**
 * Records every finding, closes what is absent where it was asked for, and ends the import. Throws BAD_USER_INPUT when less than
 * half could be read, FAILED_PRECONDITION as closeWhatIsAbsent, NotFirst as requireFirst, and what findScan says.
 */
export async function applyReport(trx: Trx, outer: Context, applying: Applying): Promise<Import> {
  const { key, staged, asked } = applying
  requireReadable(staged)
  if (asked.replacesComponents && staged.components === 0) {
    throw badUserInput('The file lists no component', 'input.file')
  }
  const context = { ...outer, db: trx, loaders: new Map() }
  if (staged.findings > MANY) await planAnew(trx)
  await holdAsset(trx, key.companyId, asked.ask.assetId)
  const [scan] = await findScan(context, trx, [asked.ask])
  if (!scan) throw conflict('The asset was being changed', true)
  if (scan instanceof ApplicationError) throw scan
  if (staged.first !== null) await requireFirst(trx, scan, staged.first)
  const scopeIds = await requireScopes(trx, scan, staged.format, staged.sections)
  const counts = emptyCounts(staged)
  const stillOpen = await recordFindings(trx, context, scan, scopeIds, counts, applying)
  if (staged.unreadable + staged.unwanted > 0) await insertLeftOut(trx, key)
  await writeComponents(trx, scan, applying)
  const closing = {
    key,
    scan,
    staged,
    scopeIds,
    stillOpen,
    confirmClose: asked.confirmClose,
    authorId: context.viewer.userId,
    firstNumber: counts.read + staged.components,
  }
  const { closed, reason } = asked.closeAbsent ? await closeWhatIsAbsent(trx, closing) : { closed: 0, reason: null }
  counts.closed = closed
  await deleteStaged(trx, key)
  const reasons = { unclosedReason: reason, incompleteReason: cut(staged.truncated, LONGEST_REASON) }
  const finished = await finishImport(trx, key, { format: staged.format, counts, ...reasons })
  const after = { assetId: scan.assetId, branch: scan.branch, commit: scan.commit, format: staged.format, ...counts }
  await audit(trx, context, { companyId: key.companyId, object: `Import ${key.id}`, after })
  return finished
}

function requireReadable({ findings, components, unreadable, undecided, firstReasons }: Staged): void {
  const read = findings + components + undecided
  if (unreadable - undecided <= read) return
  throw badUserInput(
    `Only ${read} of ${read + unreadable - undecided} rows of the report could be read, so that nothing was imported. ${firstReasons.join('; ')}`,
    'input.file',
  )
}

const emptyCounts = ({ findings, unreadable, unwanted, components }: Staged): Counts => ({
  read: findings + unreadable + unwanted,
  created: 0,
  updated: 0,
  unchanged: 0,
  reopened: 0,
  merged: 0,
  closed: 0,
  leftOut: unreadable + unwanted,
  components,
})

/** Answers with how many findings of each section were open before. */
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
  if (staged.findings === 0) return stillOpen
  const origin = { scan, reportAsk: reportAskOf(asked.ask), scopeIds }
  if (staged.first !== null) {
    const written = await writeAll(trx, key, { ...origin, authorId: context.viewer.userId }, staged.rows, onProgress)
    Object.assign(counts, written)
    return stillOpen
  }
  for await (const unchanged of unchangedOf(trx, key, origin, staged.findings)) {
    for (const { section, count, open } of unchanged) {
      counts.unchanged += count
      stillOpen[section] = (stillOpen[section] ?? 0) + open
      done += count
    }
    await onProgress(done)
  }
  if (done === staged.findings) return stillOpen
  const isAlone = await hasOneTool(trx, scan, [...new Set(staged.sections.map(({ tool }) => tool))])
  await byKeys(trx, async () => {
    for await (const group of groupsOf(trx, key)) {
      if (group.extent === 'WHOLE' || group.isFirst) seen = new Map()
      const recorded = await recordGroup(trx, context, group, { scan, ask: asked.ask }, seen, isAlone)
      await settle(trx, context, group, recorded, asked.mayDecide ?? false)
      const changed = scan.isOlder ? new Set<Id>() : await takeDecisions(trx, context, scan, group, recorded)
      const rows = rowsOf(group.rows, recorded, changed, seen)
      for (const { disposition } of rows) counts[countOf[disposition]] += 1
      countOpen(group.rows, recorded, rows, stillOpen)
      await insertRows(trx, key, rows)
      const ofScan = recorded.flatMap(({ findingId, branch }, index) =>
        branch === scan.branch ? [{ findingId, scopeId: scopeIds[group.rows[index]?.section ?? -1] ?? '' }] : [],
      )
      const scopes = ofScan.map(({ scopeId }) => scopeId)
      const issues = ofScan.map(({ findingId }) => findingId)
      await insertSeen(trx, key.companyId, scopes, issues)
      done += rows.length
      await onProgress(done)
    }
  })
  return stillOpen
}

/**
 * Records the findings of a group, in their order. Those that another installation kept stand on branches of their own: one branch after
 * the other, and none of them is one that the same file has had before.
 */
async function recordGroup(
  trx: Trx,
  context: Context,
  { rows, extent }: Group,
  { scan, ask }: { scan: Scan; ask: Asked['ask'] },
  before: ReadonlyMap<Id, string>,
  isAlone: boolean,
): Promise<Recorded[]> {
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

/** Gives the findings that are new what another installation kept of them. */
async function settle(trx: Trx, context: Context, { rows }: Group, recorded: readonly Recorded[], mayDecide: boolean) {
  const settling = recorded.flatMap(({ issue, outcome }, index): Settling[] => {
    const kept = rows[index]?.finding.kept
    return kept && outcome === 'CREATED' ? [{ issue, kept }] : []
  })
  const [first] = settling
  const said = { authorId: context.viewer.userId, mayDecide }
  if (first) await settleKept(trx, first.issue.companyId, settling, said)
}

const countOf = {
  CREATED: 'created',
  UPDATED: 'updated',
  UNCHANGED: 'unchanged',
  REOPENED: 'reopened',
  MERGED: 'merged',
  CLOSED: 'closed',
  LEFT_OUT: 'leftOut',
} as const satisfies Record<ImportRow['disposition'], keyof Counts>

/** What the report itself decides: of an issue with several rows only what all of them say, of one with several witnesses nothing. */
function takeDecisions(trx: Trx, context: Context, scan: Scan, { rows }: Group, recorded: readonly Recorded[]) {
  const words = new Map<Id, Parameters<typeof takeWords>[2][number]>()
  for (const [index, { issue, isShared }] of recorded.entries()) {
    const decision = isShared ? null : (rows[index]?.decision ?? null)
    const said = words.get(issue.id)
    if (!said || decision === null) words.set(issue.id, { issue, decision })
  }
  const { scanId, deployId, companyId } = scan
  return takeWords(trx, companyId, [...words.values()], { authorId: context.viewer.userId, scanId, deployId })
}

/** An older commit's report says nothing of the components that there are now. */
async function writeComponents(trx: Trx, scan: Scan, { key, staged, asked }: Applying): Promise<void> {
  if (scan.isOlder) return
  if (staged.components > 0) await upsertComponents(trx, key, scan.assetId)
  const isWhole = asked.replacesComponents || asked.closeAbsent
  if (!isWhole || staged.components === 0) return
  if (unclosedReasonOf(staged, scan) !== null || staged.unreadable > 0) return
  await deleteOtherComponents(trx, key, scan.assetId, [...staged.scopes])
}
