// Records the findings of an import, part by part, while their asset is locked; a leaner form of recordReports.

import type { Trx } from '../../../core/db/open.ts'
import { conflict } from '../../../core/errors.ts'
import type { Id } from '../../../core/ids.ts'
import type { Context } from '../../context.ts'
import type { IssueRecord } from '../store.ts'
import type { Recorded } from './decide.ts'
import type { Finding } from './finding.ts'
import { type Decided, decide, type RecordOptions } from './matching.ts'
import { repeatedBy } from './record.ts'
import { reportAskOf } from './report-key.ts'
import { underRules } from './rules.ts'
import type { Scan } from './scan.ts'
import { copyFindings, type SeenAgain, touchFindings } from './store-copy.ts'
import type { ScanAsk } from './store-scan.ts'
import { writeFindings } from './store-write.ts'
import { holdIssuesOf, settle } from './witnesses.ts'

/** The fields of an issue that an import needs. */
type IssueHead = Pick<IssueRecord, 'id' | 'companyId' | 'assetId' | 'toolName' | 'status' | 'decidedAt'>

/** As Recorded, with only those fields of the issue. */
export type RecordedInBulk = Omit<Recorded, 'issue'> & { issue: IssueHead }

/** For one part: the author, and the digests by which its reports are recognised when they are repeated. */
type Writing = { scan: Scan; authorId: Id; reportAsk: string; reportKeys: readonly (string | null)[] }

type Issues = ReadonlyMap<number, IssueHead>

/** From this many new findings on, COPY is cheaper than an INSERT. */
const MANY = 100

/** How often findings that somebody else changed meanwhile are decided again. */
const MOST_ATTEMPTS = 8

/**
 * Records findings of one scan in their order. Requires that holdAsset has locked the asset, and that no finding was exported by another
 * installation. `reportKeys`: the value of reportKeyOf for each, or null if it must be decided every time. `isAlone`: the asset has no
 * findings of other tools. Throws CONFLICT if others keep changing the same issues.
 */
export async function recordInBulk(
  trx: Trx,
  context: Context,
  { scan, ask, reportKeys }: { scan: Scan; ask: ScanAsk; reportKeys: readonly (string | null)[] },
  findings: readonly Finding[],
  options: Pick<RecordOptions, 'extent' | 'seen'> & { isAlone: boolean },
): Promise<RecordedInBulk[]> {
  const recorded = new Map<number, RecordedInBulk>()
  const tasks = findings.map((finding, index) => ({ index, scan, finding: underRules(finding, scan.rules) }))
  const all = { ...options, mode: 'MATCH', isAudited: false } as const
  const writing: Writing = {
    scan,
    authorId: context.viewer.userId,
    reportAsk: reportAskOf(ask),
    reportKeys: scan.isOlder ? [] : reportKeys,
  }
  for (let attempt = 0; attempt < MOST_ATTEMPTS && recorded.size < findings.length; attempt++) {
    const open = tasks.filter(({ index }) => !recorded.has(index))
    const decided = await decide(trx, open, all, attempt)
    const issues = await write(trx, writing, decided)
    const written = decided.flatMap(({ decision, repeats }) => {
      const issue = repeats === null ? issues.get(decision.write.n) : undefined
      return issue ? [{ id: issue.id, scan, decision, isKept: false }] : []
    })
    const standings = await settle(trx, context, scan.companyId, written, all)
    for (const { index, decision, repeats } of decided) {
      const own = issues.get(decision.write.n)
      if (!own) continue
      const { outcome, matchedBy } =
        repeats === null ? decision : ({ outcome: 'UNCHANGED', matchedBy: repeatedBy(decision) } as const)
      const standing = standings.get(own.id) ?? { issue: own, isShared: false, isJoined: false }
      recorded.set(index, { ...standing, findingId: own.id, outcome, matchedBy, branch: scan.branch })
    }
  }
  return findings.map((_, index) => {
    const one = recorded.get(index)
    if (!one) throw conflict('The same findings kept being changed by other requests', true)
    return one
  })
}

/** The written issues, by the number of the write. */
async function write(trx: Trx, writing: Writing, decided: readonly Decided[]): Promise<Issues> {
  const firsts = decided.filter(({ repeats }) => repeats === null)
  const again = firsts.filter(({ decision }) => decision.outcome === 'UNCHANGED')
  const changed = firsts.filter(({ decision }) => decision.outcome !== 'UNCHANGED')
  const fresh = changed.filter(({ decision }) => decision.known === null)
  const isCopied = fresh.length > MANY
  const copied = await copyFresh(trx, writing, isCopied ? fresh : [])
  const touched = await touchAgain(trx, writing, again)
  const rest = isCopied ? changed.filter(({ decision }) => decision.known !== null) : changed
  const written = await writeRest(trx, writing, rest)
  return new Map([...copied, ...touched, ...written])
}

async function copyFresh(trx: Trx, writing: Writing, fresh: readonly Decided[]): Promise<Issues> {
  const issues = new Map<number, IssueHead>()
  if (fresh.length === 0) return issues
  const { companyId, assetId } = writing.scan
  const ids = await copyFindings(trx, writing.scan, writing.authorId, rowsOf(writing, fresh))
  for (const { decision } of fresh) {
    const { n, birthKey, toolName, status } = decision.write
    const id = birthKey === null ? undefined : ids.get(birthKey)
    if (id === undefined || status === null) continue
    issues.set(n, { id, companyId, assetId, toolName: toolName || null, status, decidedAt: null })
  }
  return issues
}

async function touchAgain(trx: Trx, writing: Writing, again: readonly Decided[]): Promise<Issues> {
  const issues = new Map<number, IssueHead>()
  const seen: SeenAgain[] = []
  for (const { index, decision } of again) {
    const { known, matchedBy, write } = decision
    if (known === null) continue
    const { occurrenceId, updatedAt } = known
    const { commitRef, isExact } = write.place
    seen.push({ occurrenceId, updatedAt, matchedBy, reportKey: writing.reportKeys[index] ?? null, commitRef, isExact })
  }
  const touched = await touchFindings(trx, writing.scan, writing.reportAsk, seen)
  for (const { decision } of again) {
    const { known, write } = decision
    if (known !== null && touched.has(known.occurrenceId)) issues.set(write.n, known)
  }
  return issues
}

async function writeRest(trx: Trx, writing: Writing, rest: readonly Decided[]): Promise<Issues> {
  const issues = new Map<number, IssueHead>()
  if (rest.length === 0) return issues
  const { companyId, assetId, newestDeployId } = writing.scan
  await holdIssuesOf(
    trx,
    companyId,
    rest.map(({ decision }) => decision),
  )
  const newest = [{ assetId, deployId: newestDeployId }]
  const known = new Map(rest.map(({ decision }) => [decision.write.n, decision.known]))
  for (const { n, issue } of await writeFindings(trx, companyId, writing.authorId, newest, rowsOf(writing, rest))) {
    const head = issue ?? known.get(n)
    if (head) issues.set(n, head)
  }
  return issues
}

/** Requests no verdicts for reopened findings one by one: all deploys of the asset are judged after the import anyway. */
const rowsOf = ({ reportAsk, reportKeys }: Writing, decided: readonly Decided[]) =>
  decided.map(({ index, decision }) => ({
    ...decision.write,
    reportKey: reportKeys[index] ?? null,
    reportAsk,
    standsAnew: false,
  }))
