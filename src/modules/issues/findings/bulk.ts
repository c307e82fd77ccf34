// Records the findings of an import, part by part, while their asset is held: as recordReports does, with less to write and to answer.

import type { Trx } from '../../../core/db/open.ts'
import { conflict } from '../../../core/errors.ts'
import type { Context } from '../../context.ts'
import type { IssueRecord } from '../store.ts'
import type { Recorded } from './decide.ts'
import type { Finding } from './finding.ts'
import { type Decided, decide, type RecordOptions } from './matching.ts'
import { repeatedBy } from './record.ts'
import { reportAskOf } from './report-key.ts'
import { underRules } from './rules.ts'
import type { Scan } from './scan.ts'
import { copyFindings, touchFindings } from './store-copy.ts'
import type { ScanAsk } from './store-scan.ts'
import { writeFindings } from './store-write.ts'
import { settle } from './witnesses.ts'

/** Of an issue what an import goes by. */
export type IssueHead = Pick<IssueRecord, 'id' | 'companyId' | 'assetId' | 'toolName' | 'status' | 'decidedAt'>

/** As Recorded, with the issue as far as it is known. */
export type RecordedInBulk = Omit<Recorded, 'issue'> & { issue: IssueHead }

type Keys = { reportKey: string | null; reportAsk: string }

/** New findings from which on COPY costs less than a statement. */
const MANY = 100

/** Times that what somebody else changed meanwhile is decided anew. */
const MOST_ATTEMPTS = 8

/**
 * Records findings of one scan in their order. The asset is held by holdAsset, and none of the findings was kept by another
 * installation. `reportKeys`: the digest of each, as reportKeyOf has it, or null where it is to be decided each time. `isAlone`: nothing of the asset is another tool's. Throws CONFLICT when others change the same issues all the while.
 */
export async function recordInBulk(
  trx: Trx,
  context: Context,
  { scan, ask, reportKeys }: { scan: Scan; ask: ScanAsk; reportKeys: readonly (string | null)[] },
  findings: readonly Finding[],
  options: Pick<RecordOptions, 'extent' | 'seen'> & { isAlone: boolean },
): Promise<RecordedInBulk[]> {
  const recorded = new Map<number, RecordedInBulk>()
  const ruled = findings.map((finding) => underRules(finding, scan.rules))
  const all = { ...options, mode: 'MATCH', isAudited: false } as const
  for (let attempt = 0; attempt < MOST_ATTEMPTS && recorded.size < findings.length; attempt++) {
    const tasks = ruled.flatMap((finding, index) => (recorded.has(index) ? [] : [{ index, scan, finding }]))
    const decided = await decide(trx, tasks, all, attempt)
    const keysAt = (index: number): Keys => ({
      reportKey: scan.isOlder ? null : (reportKeys[index] ?? null),
      reportAsk: reportAskOf(ask),
    })
    const issues = await write(trx, context, scan, decided, keysAt)
    const written = decided.flatMap(({ decision, repeats, ...one }) => {
      const issue = repeats === null ? issues.get(decision.write.n) : undefined
      return issue ? [{ id: issue.id, scan: one.scan, decision, isKept: false }] : []
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
    if (!one) throw conflict('The same findings were being changed all the while', true)
    return one
  })
}

/** The issues of what was written, by the number of the write. */
async function write(
  trx: Trx,
  context: Context,
  scan: Scan,
  decided: readonly Decided[],
  keysAt: (index: number) => Keys,
): Promise<ReadonlyMap<number, IssueHead>> {
  const { companyId, assetId, newestDeployId } = scan
  const { userId } = context.viewer
  const firsts = decided.filter(({ repeats }) => repeats === null)
  const fresh = firsts.filter(({ decision }) => decision.known === null)
  const copied = fresh.length > MANY ? fresh : []
  const again = firsts.filter(({ decision }) => decision.outcome === 'UNCHANGED')
  const others = firsts.filter(({ decision }) => decision.outcome !== 'UNCHANGED' && (decision.known || !copied.length))
  const rowOf = ({ index, decision }: Decided) => ({ ...decision.write, ...keysAt(index) })
  const issues = new Map<number, IssueHead>()
  if (copied.length > 0) {
    const ids = await copyFindings(trx, scan, userId, copied.map(rowOf))
    for (const { decision } of copied) {
      const { n, birthKey, toolName, status } = decision.write
      const id = ids.get(birthKey ?? '')
      if (id === undefined || status === null) continue
      issues.set(n, { id, companyId, assetId, toolName: toolName || null, status, decidedAt: null })
    }
  }
  const seen = again.flatMap(({ index, decision: { known, matchedBy, write } }) =>
    known ? [{ n: write.n, known, matchedBy, ...keysAt(index) }] : [],
  )
  const touched = await touchFindings(
    trx,
    scan,
    keysAt(0).reportAsk,
    seen.map(({ known: { occurrenceId, updatedAt }, matchedBy, reportKey }) => {
      return { occurrenceId, updatedAt, matchedBy, reportKey }
    }),
  )
  for (const { n, known } of seen) if (touched.has(known.occurrenceId)) issues.set(n, known)
  if (others.length > 0) {
    const newest = [{ assetId, deployId: newestDeployId }]
    const known = new Map(others.map(({ decision }) => [decision.write.n, decision.known]))
    for (const { n, issue } of await writeFindings(trx, companyId, userId, newest, others.map(rowOf))) {
      const head = issue ?? known.get(n)
      if (head) issues.set(n, head)
    }
  }
  return issues
}
