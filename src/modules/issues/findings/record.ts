// Records what scans report: each finding updates a known one or becomes a new one, in a fixed number of statements.

import { forgetPlans } from '../../../core/db/driver.ts'
import { type Trx, transaction } from '../../../core/db/open.ts'
import { ApplicationError, conflict } from '../../../core/errors.ts'
import { auditAll } from '../../access/service.ts'
import type { Context } from '../../context.ts'
import type { IssueRecord } from '../store.ts'
import { changeOfIssue } from './changes.ts'
import type { Decision, Recorded } from './decide.ts'
import type { MatchedBy } from './evidence.ts'
import type { Report } from './input.ts'
import { lockKeysOf } from './locks.ts'
import { type Decided, decide, type RecordOptions, type Task } from './matching.ts'
import { reportAskOf, reportKeyOf } from './report-key.ts'
import { underRules } from './rules.ts'
import { findScan } from './scan.ts'
import { issueOf, recordShortly } from './short.ts'
import { lockBuckets } from './store-known.ts'
import { writeFindings } from './store-write.ts'
import { holdIssuesOf, settle } from './witnesses.ts'

export type { Recorded } from './decide.ts'
export type { RecordOptions } from './matching.ts'

/** How often a report is decided again because somebody else was changing the same findings. */
const MOST_ATTEMPTS = 8

/** From this many new findings per statement on, foreign-key checks planned for empty tables cost more than planning them again. */
const MANY_NEW = 50

/** Records reports of any assets. Returns the outcome of each, or why it was refused; a refusal does not affect the others. */
export async function recordReports(
  context: Context,
  reports: readonly Report[],
  options: RecordOptions,
): Promise<(Recorded | ApplicationError)[]> {
  const [report] = reports
  const isShort = reports.length === 1 && options.mode === 'MATCH' && options.extent === 'PARTIAL'
  const short = report && isShort ? await recordShortly(context, report, options) : null
  if (short?.answer) return [short.answer]
  const results = new Map<number, Recorded | ApplicationError>()
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const left = [...reports.keys()].filter((index) => !results.has(index))
    const asks = left.flatMap((index) => reports[index]?.ask ?? [])
    const scans = attempt === 0 && short ? [short.scan] : await findScan(context, context.db, asks)
    const tasks = left.flatMap((index, at): Task[] => {
      const [scan, finding] = [scans[at], reports[index]?.finding]
      if (scan instanceof ApplicationError) results.set(index, scan)
      return scan && finding && !(scan instanceof ApplicationError)
        ? [{ index, scan, finding: underRules(finding, scan.rules) }]
        : []
    })
    for (const wave of wavesOf(tasks)) {
      const recorded = await recordWave(context, wave, options, attempt, reports)
      for (const [index, result] of recorded) results.set(index, result)
    }
    if (results.size === reports.length) return reports.map((_, index) => results.get(index) ?? busy())
  }
  return reports.map((_, index) => results.get(index) ?? busy())
}

const busy = () => conflict('The same findings kept being changed by other requests', true)

/** Groups tasks that can be written together: those of one company, with one scan per asset. */
function wavesOf(tasks: readonly Task[]): Task[][] {
  const waves = new Map<string, Task[]>()
  const turns = new Map<string, string[]>()
  for (const task of tasks) {
    const { companyId, assetId, branch, deployId, commit, scanId } = task.scan
    const scan = JSON.stringify([branch, deployId, commit, scanId])
    const known = turns.get(assetId) ?? []
    if (!known.includes(scan)) known.push(scan)
    turns.set(assetId, known)
    const key = JSON.stringify([companyId, known.indexOf(scan)])
    const wave = waves.get(key)
    if (wave) wave.push(task)
    else waves.set(key, [task])
  }
  return [...waves.values()]
}

/** The outcomes of the tasks; tasks that collided with somebody else's change are missing, and are to be retried. */
async function recordWave(
  context: Context,
  tasks: readonly Task[],
  options: RecordOptions,
  attempt: number,
  reports: readonly Report[],
): Promise<Map<number, Recorded>> {
  const [first] = tasks
  if (!first) return new Map()
  return transaction(context.db, async (trx) => {
    await lockBuckets(trx, first.scan.companyId, assetsOf(tasks), lockKeysOf(tasks))
    const decided = await decide(trx, tasks, options, attempt)
    return write(trx, context, first.scan.companyId, decided, options, reports)
  })
}

async function write(
  trx: Trx,
  context: Context,
  companyId: string,
  decided: readonly Decided[],
  options: RecordOptions,
  reports: readonly Report[],
): Promise<Map<number, Recorded>> {
  const { isAudited, mode } = options
  const firsts = decided.filter(({ repeats }) => repeats === null)
  const newest = new Map(
    decided.map(({ scan }) => [scan.assetId, { assetId: scan.assetId, deployId: scan.newestDeployId }]),
  )
  await holdIssuesOf(
    trx,
    companyId,
    firsts.map(({ decision }) => decision),
  )
  const rows = firsts.map(({ index, scan, decision }) => {
    const report = mode === 'CREATE' || scan.isOlder ? undefined : reports[index]
    return { ...decision.write, ...keysOf(report) }
  })
  if (rows.filter(({ issueId }) => issueId === null).length >= MANY_NEW) await forgetPlans(trx)
  const written = await writeFindings(trx, companyId, context.viewer.userId, [...newest.values()], rows)
  const issues = new Map(written.map(({ n, issue }) => [n, issue]))
  const writtenOf = ({ decision: { known, write } }: Decided): IssueRecord | null =>
    issues.get(write.n) ?? (issues.has(write.n) && known ? issueOf(known) : null)
  const findings = firsts.flatMap((one) => {
    const issue = writtenOf(one)
    const isKept = reports[one.index]?.finding.kept !== undefined
    return issue === null ? [] : [{ id: issue.id, scan: one.scan, decision: one.decision, isKept }]
  })
  const standings = await settle(trx, context, companyId, findings, options)
  const recorded = new Map<number, Recorded>()
  for (const one of decided) {
    const own = writtenOf(one)
    if (own === null) continue
    const { decision, repeats } = one
    const told = repeats === null ? decision : ({ outcome: 'UNCHANGED', matchedBy: repeatedBy(decision) } as const)
    const standing = standings.get(own.id) ?? { issue: own, isShared: false, isJoined: false }
    const { outcome, matchedBy } = told
    recorded.set(one.index, { ...standing, findingId: own.id, outcome, matchedBy, branch: one.scan.branch })
  }
  if (isAudited) await auditAll(trx, context, changesOf(companyId, firsts, issues))
  return recorded
}

const keysOf = (report: Report | undefined) => ({
  reportKey: report ? reportKeyOf(report) : null,
  reportAsk: report ? reportAskOf(report.ask) : null,
})

function changesOf(companyId: string, decided: readonly Decided[], issues: ReadonlyMap<number, IssueRecord | null>) {
  return decided.flatMap(({ decision }) => {
    const { outcome, known, write } = decision
    const id = known?.id ?? issues.get(write.n)?.id
    const isWritten = outcome !== 'UNCHANGED' && issues.has(write.n) && id !== undefined
    return isWritten ? [changeOfIssue(companyId, id, decision)] : []
  })
}

/** The evidence to report for a repetition within the same call. */
export const repeatedBy = ({ matchedBy }: Decision): MatchedBy => (matchedBy === 'NEW' ? 'PLACE' : matchedBy)

const assetsOf = (tasks: readonly Task[]): string[] => [...new Set(tasks.map(({ scan }) => scan.assetId))]
