// Replays past reports under another identity rule, and compares the resulting issues.

import type { Candidate, Evidence, Observed, Place } from './evidence.ts'
import { matchBucket } from './identity.ts'
import type { IdentityField } from './rules.ts'

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
}

/** The place of a replayed issue on a branch. */
type Standing = { issue: number; row: PlaceRow; evidence: Evidence; path: string | null; line: number | null }

/** For each row, the number of the issue that it would belong to; null for carried places. */
export function replay(rows: readonly PlaceRow[], counts: readonly IdentityField[]): (number | null)[] {
  const buckets = new Map<string, Map<string, Standing>>()
  const answers: (number | null)[] = rows.map(() => null)
  const standings = new Map<string, Set<Standing>>()
  let issues = 0
  const bucketOf = ({ type }: PlaceRow, { rule, title }: Evidence) =>
    `${type} ${counts.includes('RULE') ? `rule ${rule}` : `title ${title}`}`
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
      const candidates = known.map((standing) => candidateOf(standing, first, observed))
      const all = members.map((n) => observedOf(rows[n]))
      const matches = matchBucket(all, candidates, 'PARTIAL', counts)
      for (const [at, n] of members.entries()) {
        const row = rows[n]
        if (!row?.observed) continue
        const match = matches[at]?.candidate
        const issue = match ? Number(match.issueId) : issues++
        answers[n] = issue
        stand({ issue, row, evidence: row.observed, path: row.path, line: row.line })
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

const placeOf = ({ column, token }: Evidence, path: string | null, line: number | null): Place => ({
  path,
  line,
  column: column ?? null,
  token: token ?? null,
})

/** A finding reported at its place ever since is there; one that moved with this report, or was gone, may be elsewhere. */
function candidateOf(
  { issue, row, evidence, path, line }: Standing,
  seen: PlaceRow,
  moving: ReadonlySet<string>,
): Candidate {
  const isOwnBranch = row.branch === seen.branch
  const isHere = isOwnBranch && !moving.has(row.findingId) && row.lastSeenAt >= seen.at
  return {
    issueId: String(issue),
    isOwnBranch,
    isOpen: true,
    toolId: evidence.toolId ?? null,
    fingerprint: evidence.fingerprint ?? null,
    partialFingerprint: evidence.partialFingerprint ?? null,
    place: placeOf(evidence, path, line),
    snippetHash: evidence.snippetHash ?? null,
    isMapped: isHere,
    isTouched: false,
    isGone: false,
    seen: isHere ? 'HERE' : isOwnBranch ? 'ELSEWHERE' : 'UNKNOWN',
  }
}

function observedOf(row: PlaceRow | undefined): Observed {
  const evidence = row?.observed ?? { title: '', rule: '' }
  const { toolId, fingerprint, partialFingerprint, snippetHash, isLong } = evidence
  return {
    toolId: toolId ?? null,
    fingerprint: fingerprint ?? null,
    partialFingerprint: partialFingerprint ?? null,
    place: placeOf(evidence, row?.path ?? null, row?.line ?? null),
    snippet: snippetHash === undefined ? null : { hash: snippetHash, isLong: isLong ?? false },
  }
}

/** `rows`: the indexes of the rows that show the difference. */
export type Difference = { change: 'MERGE' | 'SPLIT'; rows: number[] }

export type Comparison = { merges: number; splits: number; differences: Difference[] }

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
