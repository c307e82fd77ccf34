// Replays past reports under another identity rule.

import type { Candidate, Evidence, Observed } from './evidence.ts'
import type { IdentityField, Place } from './finding.ts'
import { matchBucket } from './identity.ts'
import { bucketsBy, type Listed, type PlaceRow } from './place-rows.ts'
import { openState, type Standing } from './replay-state.ts'

/** Standings of the buckets that were matched, beyond which reports are taken for single ones: the time grows with their number. */
export const MOST_MET = 500_000

/** What was replayed so far; `issues` and `met` count the issues, and the standings of the buckets that were matched. */
type Replayed = {
  counts: readonly IdentityField[]
  state: ReturnType<typeof openState>
  answers: (number | null)[]
  issues: number
  met: number
}

/** A row that a report wrote, with its index. */
type Seen = { n: number; row: PlaceRow; observed: Evidence }

/** For each row, the number of the issue that it would belong to; null for carried places. */
export function replay(rows: readonly PlaceRow[], counts: readonly IdentityField[]): (number | null)[] {
  const answers: (number | null)[] = rows.map(() => null)
  const replayed: Replayed = { counts, state: openState(bucketsBy(counts)), answers, issues: 0, met: 0 }
  for (const batch of batchesOf(rows)) replayBatch(replayed, rows, batch)
  return answers
}

function replayBatch(replayed: Replayed, rows: readonly PlaceRow[], batch: readonly number[]): void {
  const { state } = replayed
  const written = batch.flatMap((n) => rows[n] ?? [])
  for (const row of written) if (!row.observed) carry(row, state.ofFinding(row.findingId), state.stand)
  const seen = batch.flatMap((n): Seen[] => {
    const row = rows[n]
    return row?.observed ? [{ n, row, observed: row.observed }] : []
  })
  const moving = new Set(seen.map(({ row }) => row.findingId))
  const reported = new Set<number>()
  for (const [bucket, members] of Map.groupBy(seen, ({ row, observed }) => state.bucketOf(row, observed)))
    for (const issue of replayBucket(replayed, members, state.inBucket(bucket), moving)) reported.add(issue)
  const report = written[0]?.report
  if (report?.closes) close(report, [...moving, ...report.closed], reported, state)
}

/** The issues to which the members belong, in their order. */
function replayBucket(
  replayed: Replayed,
  members: readonly Seen[],
  known: readonly Standing[],
  moving: ReadonlySet<string>,
): number[] {
  replayed.met += known.length
  const after = repeatedOf(members, known) ?? matchedOf(replayed, members, known, moving)
  for (const standing of after) replayed.state.stand(standing)
  const issues = after.slice(0, members.length).map(({ issue }) => issue)
  for (const [at, issue] of issues.entries()) replayed.answers[members[at]?.n ?? -1] = issue
  return issues
}

/** The standings of the members after the report, then those that another issue has taken over. */
function matchedOf(
  replayed: Replayed,
  members: readonly Seen[],
  known: readonly Standing[],
  moving: ReadonlySet<string>,
): Standing[] {
  const [first] = members
  if (!first) return []
  const { row } = first
  const isWhole = row.isWhole && replayed.met <= MOST_MET
  const stayed = isWhole && !row.report ? known.filter((standing) => isHere(standing, row, moving)) : []
  const candidates = known.map((standing) => candidateOf(standing, row, moving, isWhole))
  const here = new Map(known.flatMap((one) => (one.row.branch === row.branch ? [[one.issue, one] as const] : [])))
  const all = [...members.map(observedOf), ...stayed.map(observedAgain)]
  const matches = matchBucket(all, candidates, isWhole ? 'WHOLE' : 'PARTIAL', replayed.counts)
  return matches.flatMap(({ candidate }, at) => {
    const issue = candidate ? Number(candidate.issueId) : replayed.issues++
    const member = members[at]
    if (member) return standingAfter(issue, member, here.get(issue))
    const again = stayed[at - members.length]
    return again && again.issue !== issue ? { ...again, issue } : []
  })
}

/** What a report leaves out of a known finding stays. */
function standingAfter(issue: number, { row, observed }: Seen, before: Standing | undefined): Standing {
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

/**
 * The standings after a listed report, of members that are where they were, open and last reported word for word so;
 * null unless each has such a standing of its own.
 */
function repeatedOf(members: readonly Seen[], known: readonly Standing[]): Standing[] | null {
  const [first] = members
  if (!first?.row.report) return null
  const byWords = Map.groupBy(
    known.filter(({ isOpen, words, row }) => isOpen && words !== null && row.branch === first.row.branch),
    wordsAt,
  )
  const found = members.flatMap(({ row }) => {
    const own = byWords.get(wordsAt(row)) ?? []
    return own.length === 1 ? own : []
  })
  if (found.length !== members.length || new Set(found).size !== members.length) return null
  return members.flatMap(({ row }, at): Standing[] => {
    const standing = found[at]
    return standing ? [{ ...standing, row, seen: row.report ?? null }] : []
  })
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

const observedOf = ({ observed, row: { path, line } }: Seen): Observed => asObserved(observed, path, line)

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
