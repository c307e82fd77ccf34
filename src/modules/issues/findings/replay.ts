// Replays past reports under another identity rule, and compares the resulting issues.

import type { Candidate, Evidence, Observed } from './evidence.ts'
import type { IdentityField, Place } from './finding.ts'
import { matchBucket } from './identity.ts'

/** A stored place of a finding; without `observed`, a deploy carried the finding there. Rows of one report share `at`. */
export type PlaceRow = {
  findingId: string
  type: string
  branch: string
  at: string
  path: string | null
  line: number | null
  observed: Evidence | null
  /** when the finding was last reported on the branch */
  lastSeenAt: string
  /** that it came with a whole report, which also had what stayed where it was */
  isWhole: boolean
  /** that deploys say where lines are that were there before */
  isMapped: boolean
  /** that the finding is open on the branch now */
  isOpen: boolean
}

/** The place of a replayed issue on a branch. */
type Standing = { issue: number; row: PlaceRow; evidence: Evidence; path: string | null; line: number | null }

/** Standings of the buckets that were matched, beyond which reports are taken for single ones: the time grows with their number. */
export const MOST_MET = 500_000

/** Names the bucket in which a finding is compared under a rule. */
export const bucketsBy =
  (counts: readonly IdentityField[]) =>
  ({ type }: Pick<PlaceRow, 'type'>, { rule, title }: Evidence): string =>
    `${type} ${counts.includes('RULE') ? `rule ${rule}` : `title ${title}`}`

/** For each row, the number of the issue that it would belong to; null for carried places. */
export function replay(rows: readonly PlaceRow[], counts: readonly IdentityField[]): (number | null)[] {
  const buckets = new Map<string, Map<string, Standing>>()
  const answers: (number | null)[] = rows.map(() => null)
  const standings = new Map<string, Set<Standing>>()
  let issues = 0
  let met = 0
  const bucketOf = bucketsBy(counts)
  const stand = (standing: Standing) => {
    const bucket = bucketOf(standing.row, standing.evidence)
    const own = buckets.get(bucket) ?? new Map<string, Standing>()
    const key = `${standing.issue} ${standing.row.branch}`
    const before = own.get(key)
    if (before) standings.get(before.row.findingId)?.delete(before)
    own.set(key, standing)
    buckets.set(bucket, own)
    const ofFinding = standings.get(standing.row.findingId) ?? new Set()
    standings.set(standing.row.findingId, ofFinding.add(standing))
  }

  for (const batch of batchesOf(rows)) {
    const observed = new Set(batch.flatMap((n) => (rows[n]?.observed ? [rows[n].findingId] : [])))
    for (const n of batch) {
      const row = rows[n]
      if (row && !row.observed) carry(row, standings.get(row.findingId), stand)
    }
    const seen = batch.filter((n) => rows[n]?.observed)
    const groups = Map.groupBy(seen, (n) => {
      const row = rows[n]
      return row?.observed ? bucketOf(row, row.observed) : ''
    })
    for (const [bucket, members] of groups) {
      const known = [...(buckets.get(bucket)?.values() ?? [])]
      const first = rows[members[0] ?? -1]
      if (!first) continue
      met += known.length
      const isWhole = first.isWhole && met <= MOST_MET
      const stayed = isWhole ? known.filter((standing) => isHere(standing, first, observed)) : []
      const candidates = known.map((standing) => candidateOf(standing, first, observed, isWhole))
      const all = [...members.map((n) => observedOf(rows[n])), ...stayed.map(observedAgain)]
      const matches = matchBucket(all, candidates, isWhole ? 'WHOLE' : 'PARTIAL', counts)
      for (const [at, { candidate }] of matches.entries()) {
        const issue = candidate ? Number(candidate.issueId) : issues++
        const n = members[at]
        const row = rows[n ?? -1]
        if (n !== undefined && row?.observed) {
          answers[n] = issue
          stand({ issue, row, evidence: row.observed, path: row.path, line: row.line })
        }
        const again = stayed[at - members.length]
        if (again && again.issue !== issue) stand({ ...again, issue })
      }
    }
  }
  return answers
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
  const here = all.find((standing) => standing.row.branch === row.branch)
  const from = here ?? all[0]
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
  const { issue, row, evidence, path, line } = standing
  const isOwnBranch = row.branch === seen.branch
  const isUnmoved = isHere(standing, seen, moving)
  return {
    issueId: String(issue),
    isOwnBranch,
    isOpen: true,
    toolId: evidence.toolId ?? null,
    fingerprint: evidence.fingerprint ?? null,
    partialFingerprint: evidence.partialFingerprint ?? null,
    place: placeOf(evidence, path, line),
    snippetHash: evidence.snippetHash ?? null,
    isMapped: isWhole ? isOwnBranch && seen.isMapped : isUnmoved,
    isTouched: false,
    isGone: false,
    seen: isUnmoved ? 'HERE' : isOwnBranch ? 'ELSEWHERE' : 'UNKNOWN',
  }
}

const observedOf = (row: PlaceRow | undefined): Observed =>
  asObserved(row?.observed ?? { title: '', rule: '' }, row?.path ?? null, row?.line ?? null)

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

/** `rows`: the indexes of the rows that show the difference. */
type Difference = { change: 'MERGE' | 'SPLIT'; rows: number[] }

type Comparison = { merges: number; splits: number; differences: Difference[] }

/** How many issues the second replay merges and splits, and the rows that show each. Pure. */
export function compareReplays(before: readonly (number | null)[], after: readonly (number | null)[]): Comparison {
  const merged = differences(after, before, 'MERGE')
  const split = differences(before, after, 'SPLIT')
  return { merges: merged.count, splits: split.count, differences: [...merged.found, ...split.found] }
}

/** Issues of `whole` that are several issues in `parts`. */
function differences(
  whole: readonly (number | null)[],
  parts: readonly (number | null)[],
  change: Difference['change'],
): { count: number; found: Difference[] } {
  const found: Difference[] = []
  let count = 0
  const issues = Map.groupBy(whole.keys(), (n) => whole[n])
  for (const [issue, rows] of issues) {
    if (issue === null) continue
    const distinct = new Set(rows.map((n) => parts[n]))
    if (distinct.size < 2) continue
    count += distinct.size - 1
    found.push({ change, rows })
  }
  return { count, found }
}
