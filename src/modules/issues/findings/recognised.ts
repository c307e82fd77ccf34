// Counts the open findings that a rule would not recognise where they were last reported.

import type { Candidate, Evidence } from './evidence.ts'
import type { IdentityField } from './finding.ts'
import { matchBucket } from './identity.ts'
import { bucketsBy, type PlaceRow } from './place-rows.ts'
import { asObserved, MOST_MET, placeOf } from './replay.ts'

/** Where a finding is on a branch, and what was last reported of it. */
type Held = { row: PlaceRow; evidence: Evidence }

/**
 * Matches them as a report of another commit would that has them all again: those that came together at once, single ones of a bucket
 * together. Beyond MOST_MET findings that are met, those of a bucket and branch are matched at once. Pure.
 */
export function countUnrecognised(rows: readonly PlaceRow[], counts: readonly IdentityField[]): number {
  const bucketOf = bucketsBy(counts)
  let unrecognised = 0
  let met = 0
  for (const bucket of Map.groupBy(heldIn(rows), ({ row, evidence }) => bucketOf(row, evidence)).values()) {
    const reports = Map.groupBy(
      bucket.filter(({ row }) => row.isOpen),
      ({ row: { branch, isWhole, lastSeenAt } }) =>
        JSON.stringify([branch, isWhole, isWhole && met <= MOST_MET ? lastSeenAt : '']),
    )
    for (const again of reports.values()) {
      const [first] = again
      if (!first) continue
      met += bucket.length
      const all = again.map(({ row, evidence }) => asObserved(evidence, row.path, row.line))
      const candidates = bucket.map((held) => candidateOf(held, first.row.branch))
      const matches = matchBucket(all, candidates, first.row.isWhole ? 'WHOLE' : 'PARTIAL', counts)
      unrecognised += matches.filter(({ candidate }) => candidate === null).length
    }
  }
  return unrecognised
}

/** The last row of each finding on each branch, with what was last observed of it. */
function heldIn(rows: readonly PlaceRow[]): Held[] {
  const held = new Map<string, Held>()
  const seen = new Map<string, Evidence>()
  for (const row of rows) {
    const evidence = row.observed ?? seen.get(row.findingId)
    if (!evidence) continue
    seen.set(row.findingId, evidence)
    held.set(JSON.stringify([row.findingId, row.branch]), { row, evidence })
  }
  return [...held.values()]
}

function candidateOf({ row, evidence }: Held, branch: string): Candidate {
  const { toolId, fingerprint, partialFingerprint, snippetHash } = evidence
  const isOwnBranch = row.branch === branch
  return {
    issueId: row.findingId,
    isOwnBranch,
    isOpen: row.isOpen,
    toolId: toolId ?? null,
    fingerprint: fingerprint ?? null,
    partialFingerprint: partialFingerprint ?? null,
    place: placeOf(evidence, row.path, row.line),
    snippetHash: snippetHash ?? null,
    isMapped: isOwnBranch && row.isMapped,
    isTouched: false,
    isGone: false,
    seen: isOwnBranch ? 'ELSEWHERE' : 'UNKNOWN',
  }
}
