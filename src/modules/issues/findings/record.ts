// Records what scans report: each finding becomes one that is known, or a new one; the same few statements for any number.

import { sha256 } from '../../../core/crypto.ts'
import { type Trx, transaction } from '../../../core/db/open.ts'
import { ApplicationError, conflict } from '../../../core/errors.ts'
import { auditAll, authorize } from '../../access/service.ts'
import type { Context } from '../../context.ts'
import type { IssueRecord } from '../store.ts'
import type { Decision, Outcome } from './decide.ts'
import type { MatchedBy } from './evidence.ts'
import { bucketOf, type Finding } from './finding.ts'
import type { Report } from './input.ts'
import { type Decided, decide, decideEntries, type RecordOptions, type Task, wantedOf } from './matching.ts'
import { findScan, readScan, type Scan } from './scan.ts'
import { hash64 } from './snippet.ts'
import { type KnownFinding, lockBuckets } from './store-known.ts'
import { findReported } from './store-report.ts'
import { repeatReport, touchFinding, writeFindings } from './store-write.ts'

export type { RecordOptions } from './matching.ts'

/** What became of one reported finding. */
export type Recorded = { issue: IssueRecord; outcome: Outcome; matchedBy: MatchedBy; branch: string }

/** Times that a report is read anew because somebody else was changing the same findings. */
const MOST_ATTEMPTS = 8

/** Records reports of any assets; for each what became of it, or why it was refused while the others went in. */
export async function recordReports(
  context: Context,
  reports: readonly Report[],
  options: RecordOptions,
): Promise<(Recorded | ApplicationError)[]> {
  const [report] = reports
  const repeated = report && reports.length === 1 && options.mode === 'MATCH' ? await repeat(context, report) : null
  if (repeated) return [repeated]
  const short =
    report && reports.length === 1 && options.mode === 'MATCH' ? await touchUnchanged(context, report) : null
  if (short?.answer) return [short.answer]
  const results = new Map<number, Recorded | ApplicationError>()
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const left = [...reports.keys()].filter((index) => !results.has(index))
    const asks = left.flatMap((index) => reports[index]?.ask ?? [])
    const scans = attempt === 0 && short ? [short.scan] : await findScan(context, context.db, asks)
    const tasks = left.flatMap((index, at): Task[] => {
      const [scan, finding] = [scans[at], reports[index]?.finding]
      if (scan instanceof ApplicationError) results.set(index, scan)
      return scan && finding && !(scan instanceof ApplicationError) ? [{ index, scan, finding }] : []
    })
    for (const wave of wavesOf(tasks)) {
      const recorded = await recordWave(context, wave, options, attempt, reports)
      for (const [index, result] of recorded) results.set(index, result)
    }
    if (results.size === reports.length) return reports.map((_, index) => results.get(index) ?? busy())
  }
  return reports.map((_, index) => results.get(index) ?? busy())
}

/**
 * Records the findings of one scan. With the extent WHOLE they are all that a report has of their buckets. Throws
 * NOT_FOUND, FORBIDDEN or CONFLICT for all of them.
 */
export async function recordObservations(
  context: Context,
  ask: Report['ask'],
  findings: readonly Finding[],
  options: RecordOptions,
): Promise<Recorded[]> {
  const reports = findings.map((finding) => ({ ask, finding }))
  return (await recordReports(context, reports, options)).map((result) => {
    if (result instanceof ApplicationError) throw result
    return result
  })
}

const busy = () => conflict('The same findings were being changed all the while', true)

/** Tasks that can be written together: of one company, and of one scan of each asset. */
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

/** What became of the tasks; those that somebody else came in between of are left out, to be tried again. */
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

/** A report word for word, but for its run; null for one that names a project, which may be gone when it comes again. */
const reportKeyOf = ({ ask, finding }: Report): string | null =>
  ask.projectId === null ? sha256(JSON.stringify([{ ...ask, scanId: null }, finding])).toString('hex', 0, 16) : null

/** Companies of a viewer that the shortest way looks in. */
const FEW = 10

/** The shortest way: the last report of a finding again, word for word, and nothing has changed since. One statement. */
async function repeat(context: Context, { ask, finding }: Report): Promise<Recorded | null> {
  const { memberships } = context.viewer
  const reportKey = reportKeyOf({ ask, finding })
  if (memberships === null || memberships.size > FEW || reportKey === null) return null
  const permitted: string[] = []
  for (const id of memberships.keys()) {
    const isPermitted = await authorize(context, 'issues:write', id).then(
      () => true,
      () => false,
    )
    if (isPermitted) permitted.push(id)
  }
  const { assetId, scanId } = ask
  const found =
    permitted.length === 0 ? null : await repeatReport(context.db, permitted, { assetId, scanId, reportKey })
  const { originalIssueIdFromTool, fingerprint } = finding.fields
  const matchedBy = originalIssueIdFromTool ? 'TOOL_ID' : fingerprint ? 'FINGERPRINT' : 'PLACE'
  return found && { ...found, outcome: 'UNCHANGED', matchedBy }
}

/** Either the answer, or the scan as far as it was read for one. */
type Short = { answer: Recorded | ApplicationError; scan: null } | { answer: null; scan: Scan }

/** The short way of a finding that is reported again as it was: no lock, one read, and one row that changes. */
async function touchUnchanged(context: Context, { ask, finding }: Report): Promise<Short> {
  const observation = { finding, place: finding.place, isGone: false }
  const options = { mode: 'MATCH', extent: 'PARTIAL', isAudited: true } as const
  const found = await findReported(context.db, context.viewer, ask, wantedOf([observation], options.extent))
  const scan = await readScan(context, ask, found.scan)
  if (scan instanceof ApplicationError) return { answer: scan, scan: null }
  if (scan.isOlder) return { answer: null, scan }
  const [decided] = decideEntries([{ n: 0, index: 0, scan, observation }], found.known, options, 0)
  if (!decided?.decision.known || decided.decision.outcome !== 'UNCHANGED') return { answer: null, scan }
  const { known, outcome, matchedBy } = decided.decision
  const isTouched = await touchFinding(context.db, scan.companyId, {
    occurrenceId: known.occurrenceId,
    path: known.path,
    line: known.line,
    disposition: known.disposition,
    deployId: scan.deployId,
    scanId: scan.scanId,
    commit: scan.commit,
    reportKey: reportKeyOf({ ask, finding }),
    newestDeployId: scan.newestDeployId,
    updatedAt: known.updatedAt,
  })
  const answer = { issue: issueOf(known), outcome, matchedBy, branch: scan.branch }
  return isTouched ? { answer, scan: null } : { answer: null, scan }
}

async function write(
  trx: Trx,
  context: Context,
  companyId: string,
  decided: readonly Decided[],
  { isAudited, mode }: RecordOptions,
  reports: readonly Report[],
): Promise<Map<number, Recorded>> {
  const firsts = decided.filter(({ repeats }) => repeats === null)
  const newest = new Map(
    decided.map(({ scan }) => [scan.assetId, { assetId: scan.assetId, deployId: scan.newestDeployId }]),
  )
  const rows = firsts.map(({ index, scan, decision }) => {
    const report = mode === 'CREATE' || scan.isOlder ? undefined : reports[index]
    return { ...decision.write, reportKey: report ? reportKeyOf(report) : null }
  })
  const written = await writeFindings(trx, companyId, context.viewer.userId, [...newest.values()], rows)
  const issues = new Map(written.map(({ n, issue }) => [n, issue]))
  const recorded = new Map<number, Recorded>()
  for (const { index, scan, decision, repeats } of decided) {
    const { n } = decision.write
    const issue = issues.get(n) ?? (issues.has(n) && decision.known ? issueOf(decision.known) : null)
    if (issue === null) continue
    const told = repeats === null ? decision : ({ outcome: 'UNCHANGED', matchedBy: repeatedBy(decision) } as const)
    recorded.set(index, { issue, outcome: told.outcome, matchedBy: told.matchedBy, branch: scan.branch })
  }
  if (isAudited) await auditAll(trx, context, changesOf(companyId, firsts, issues))
  return recorded
}

const repeatedBy = ({ matchedBy }: Decision): MatchedBy => (matchedBy === 'NEW' ? 'PLACE' : matchedBy)

function changesOf(companyId: string, decided: readonly Decided[], issues: ReadonlyMap<number, IssueRecord | null>) {
  return decided.flatMap(({ decision: { outcome, known, write: row } }) => {
    if (outcome === 'UNCHANGED' || !issues.has(row.n)) return []
    const id = known?.id ?? issues.get(row.n)?.id
    const place = { branch: row.branch, path: row.place.path, line: row.place.line }
    const after = { ...row.fields, ...place, ...(row.reopens ? { status: 'IDENTIFIED' } : {}) }
    const before = known === null ? undefined : beforeOf(known, row.fields)
    return [{ companyId, object: `Issue ${id}`, before, after }]
  })
}

function beforeOf(known: KnownFinding, fields: object) {
  const values = Object.entries(known).filter(([name]) => name in fields)
  return {
    ...Object.fromEntries(values),
    branch: known.branch,
    path: known.path,
    line: known.line,
    status: known.status,
  }
}

const assetsOf = (tasks: readonly Task[]): string[] => [...new Set(tasks.map(({ scan }) => scan.assetId))]

/** Locks of an asset: few enough that a report of any size holds no more of them. */
const STRIPES = 64n

function lockKeysOf(tasks: readonly Task[]): string[] {
  const keys = tasks.map(({ scan, finding }) => {
    const asset = BigInt(hash64(`${scan.companyId}/${scan.assetId}`))
    const bucket = BigInt(hash64(bucketOf(scan.assetId, finding)))
    return BigInt.asIntN(64, (asset & ~(STRIPES - 1n)) | (bucket & (STRIPES - 1n)))
  })
  return [...new Set(keys)].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0)).map(String)
}

/** All locks of an asset, in rising order. */
export function stripesOf(companyId: string, assetId: string): string[] {
  const asset = BigInt(hash64(`${companyId}/${assetId}`)) & ~(STRIPES - 1n)
  return Array.from({ length: Number(STRIPES) }, (_, stripe) => String(BigInt.asIntN(64, asset | BigInt(stripe))))
}

/** The issue alone, as the rest of the module knows it: what was read for the matching is more of the same record. */
const issueOf = (known: KnownFinding): IssueRecord => known
