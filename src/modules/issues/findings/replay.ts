// Replays past reports under another identity rule.

import type { Candidate, Evidence, Observed } from './evidence.ts'
import type { IdentityField, Place } from './finding.ts'
import { matchBucket } from './identity.ts'
import { bucketsBy, type Listed, type PlaceRow } from './place-rows.ts'
import { openState, type Standing } from './replay-state.ts'

/** Standings of the buckets that were matched, beyond which reports are taken for single ones: the time grows with their number. */
export const MOST_MET = 500_000

/** For each row, the number of the issue that it would belong to; null for carried places. */
export function replay(rows: readonly PlaceRow[], counts: readonly IdentityField[]): (number | null)[] {
  const state = openState(bucketsBy(counts))
  const answers: (number | null)[] = rows.map(() => null)
  let issues = 0
  let met = 0

  for (const batch of batchesOf(rows)) {
    const written = batch.flatMap((n) => rows[n] ?? [])
    const observed = new Set(written.flatMap((row) => (row.observed ? [row.findingId] : [])))
    for (const row of written) if (!row.observed) carry(row, state.ofFinding(row.findingId), state.stand)
    const seen = batch.filter((n) => rows[n]?.observed)
    const groups = Map.groupBy(seen, (n) => {
      const row = rows[n]
      return row?.observed ? state.bucketOf(row, row.observed) : ''
    })
    const reported = new Set<number>()
    for (const [bucket, members] of groups) {
      const known = state.inBucket(bucket)
      const first = rows[members[0] ?? -1]
      if (!first) continue
      met += known.length
      const isWhole = first.isWhole && met <= MOST_MET
      const stayed = isWhole && !first.report ? known.filter((standing) => isHere(standing, first, observed)) : []
      const told = members.flatMap((n) => rows[n] ?? [])
      const same = first.report ? repeatedOf(told, known) : null
      for (const [at, standing] of (same ?? []).entries()) {
        const row = told[at]
        answers[members[at] ?? -1] = standing.issue
        reported.add(standing.issue)
        if (row) state.stand({ ...standing, row, seen: row.report ?? null })
      }
      if (same) continue
      const candidates = known.map((standing) => candidateOf(standing, first, observed, isWhole))
      const here = new Map(known.flatMap((one) => (one.row.branch === first.branch ? [[one.issue, one] as const] : [])))
      const all = [...told.map(observedOf), ...stayed.map(observedAgain)]
      const matches = matchBucket(all, candidates, isWhole ? 'WHOLE' : 'PARTIAL', counts)
      for (const [at, { candidate }] of matches.entries()) {
        const issue = candidate ? Number(candidate.issueId) : issues++
        const n = members[at]
        const row = rows[n ?? -1]
        if (n !== undefined && row?.observed) {
          answers[n] = issue
          reported.add(issue)
          state.stand(standingAfter(issue, row, row.observed, here.get(issue)))
        }
        const again = stayed[at - members.length]
        if (again && again.issue !== issue) state.stand({ ...again, issue })
      }
    }
    const report = written[0]?.report
    if (report?.closes) close(report, [...observed, ...report.closed], reported, state)
  }
  return answers
}

/** What a report leaves out of a known finding stays. */
function standingAfter(issue: number, row: PlaceRow, observed: Evidence, before: Standing | undefined): Standing {
  const evidence = { ...before?.evidence, ...observed }
  if (observed.column === undefined && row.line !== before?.line) delete evidence.column
  return {
    issue,
    row,
    evidence,
    path: row.path,
    line: row.line,
    isOpen: true,
    seen: row.report ?? null,
    words: row.words ?? null,
  }
}

/** The standings that are where the rows say, open and last reported word for word so; null unless each row has one of its own. */
function repeatedOf(rows: readonly PlaceRow[], known: readonly Standing[]): Standing[] | null {
  const byWords = Map.groupBy(
    known.filter(({ isOpen, words, row }) => isOpen && words !== null && row.branch === rows[0]?.branch),
    wordsAt,
  )
  const found = rows.flatMap((row) => {
    const own = byWords.get(wordsAt(row)) ?? []
    return own.length === 1 ? own : []
  })
  return found.length === rows.length && new Set(found).size === rows.length ? found : null
}

const wordsAt = ({ words, path, line }: { words?: string | null; path: string | null; line: number | null }): string =>
  JSON.stringify([words, path, line])

/** Closes the issues that were where the report looked, and that it does not have: those of findings that it has or closed. */
function close(
  report: Listed,
  findings: readonly string[],
  reported: ReadonlySet<number>,
  { ofFinding, stand }: ReturnType<typeof openState>,
): void {
  for (const finding of findings) {
    for (const standing of [...(ofFinding(finding) ?? [])]) {
      const isAbsent = standing.row.branch === report.branch && !reported.has(standing.issue)
      if (isAbsent && standing.isOpen) stand({ ...standing, isOpen: false })
    }
  }
}

/** The indexes of the rows that one report, or one deploy, wrote. */
function batchesOf(rows: readonly PlaceRow[]): number[][] {
  const batches: number[][] = []
  for (const [n, row] of rows.entries()) {
    const last = batches.at(-1)
    const before = rows[last?.[0] ?? -1]
    const isSame = before && before.at === row.at && before.branch === row.branch
    if (last && isSame && (before.observed === null) === (row.observed === null)) last.push(n)
    else batches.push([n])
  }
  return batches
}

/** A deploy moves the finding's issue on its branch; to a new branch it copies the issue from another one. */
function carry(row: PlaceRow, own: ReadonlySet<Standing> | undefined, stand: (standing: Standing) => void): void {
  const all = [...(own ?? [])]
  const here = all.findLast((standing) => standing.row.branch === row.branch)
  const from = here ?? all.at(-1)
  if (from) stand({ ...from, row, path: row.path, line: row.line })
}

export const placeOf = ({ column, token }: Evidence, path: string | null, line: number | null): Place => ({
  path,
  line,
  column: column ?? null,
  token: token ?? null,
})

/** A finding reported at its place ever since is there; one that moved with this report, or was gone, may be elsewhere. */
const isHere = ({ row }: Standing, seen: PlaceRow, moving: ReadonlySet<string>): boolean =>
  row.branch === seen.branch && !moving.has(row.findingId) && row.lastSeenAt >= seen.at

function candidateOf(standing: Standing, seen: PlaceRow, moving: ReadonlySet<string>, isWhole: boolean): Candidate {
  const { issue, row, evidence, path, line, isOpen } = standing
  const isOwnBranch = row.branch === seen.branch
  const isUnmoved = seen.report ? isSameScan(standing.seen, seen.report) : isHere(standing, seen, moving)
  const isMapped = seen.report ? isUnmoved || seen.report.isMapped : isWhole ? seen.isMapped : isUnmoved
  return {
    issueId: String(issue),
    isOwnBranch,
    isOpen,
    toolId: evidence.toolId ?? null,
    fingerprint: evidence.fingerprint ?? null,
    partialFingerprint: evidence.partialFingerprint ?? null,
    place: placeOf(evidence, path, line),
    snippetHash: evidence.snippetHash ?? null,
    isMapped: isOwnBranch && isOpen && isMapped,
    isTouched: false,
    isGone: false,
    seen: isUnmoved ? 'HERE' : isOwnBranch ? 'ELSEWHERE' : 'UNKNOWN',
  }
}

const isSameScan = (before: Listed | null, { scanId, commit }: Listed): boolean =>
  before !== null && ((scanId !== null && before.scanId === scanId) || (commit !== null && before.commit === commit))

const observedOf = ({ observed, path, line }: PlaceRow): Observed =>
  asObserved(observed ?? { title: '', rule: '' }, path, line)

/** What a whole report says of a finding that stayed where it was. */
const observedAgain = ({ evidence, path, line }: Standing): Observed => asObserved(evidence, path, line)

export function asObserved(evidence: Evidence, path: string | null, line: number | null): Observed {
  const { toolId, fingerprint, partialFingerprint, snippetHash, isLong } = evidence
  return {
    toolId: toolId ?? null,
    fingerprint: fingerprint ?? null,
    partialFingerprint: partialFingerprint ?? null,
    place: placeOf(evidence, path, line),
    snippet: snippetHash === undefined ? null : { hash: snippetHash, isLong: isLong ?? false },
  }
}
