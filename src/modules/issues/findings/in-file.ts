// Recognises code within its file: as it is, or in another style of quotes and closing punctuation.

import { alignLines } from './align.ts'
import type { Candidate, Extent, MatchedBy, Observed } from './evidence.ts'
import { groupSides, type Pass, type Sides, take } from './sides.ts'
import { inOneStyle } from './snippet.ts'

export const snippetKey = (path: string | null, hash: string | undefined | null): string | null =>
  path === null || !hash ? null : JSON.stringify([path, hash])

/** Whether an unmatched finding may have moved to where something else was observed. */
export function mayHaveMoved(candidate: Candidate, extent: Extent, isLong: boolean): boolean {
  if (extent === 'WHOLE') return true
  if (candidate.seen === 'HERE') return false
  if (candidate.isTouched) return true
  if (candidate.isMapped) return false
  return candidate.seen === 'ELSEWHERE' || isLong
}

/** Open findings first. */
export const bySnippetInFile: Pass = (sides, extent) => {
  for (const isOpen of [true, false]) {
    takeInFile(
      sides,
      extent,
      'SNIPPET_IN_FILE',
      ({ place, snippet }) => snippetKey(place.path, snippet?.hash),
      (candidate) => (candidate.isOpen === isOpen ? snippetKey(candidate.place.path, candidate.snippetHash) : null),
    )
  }
}

/** Only open findings: most closed ones were fixed, and the style of a fixed line is no news. */
export const byStyleInFile: Pass = (sides, extent) => {
  if (sides.observed.size === 0) return
  takeInFile(
    sides,
    extent,
    'STYLE_IN_FILE',
    ({ place, code }) => snippetKey(place.path, inOneStyle(code)),
    ({ isOpen, place, code }) => (isOpen ? snippetKey(place.path, inOneStyle(code)) : null),
  )
}

function takeInFile(
  sides: Sides,
  extent: Extent,
  matchedBy: MatchedBy,
  keyOfObserved: (observed: Observed) => string | null,
  keyOfCandidate: (candidate: Candidate) => string | null,
): void {
  const isLong = (index: number) => sides.all[index]?.snippet?.isLong ?? false
  for (const { observed, candidates } of groupSides(sides, keyOfObserved, keyOfCandidate)) {
    const free = candidates.filter((candidate) => mayHaveMoved(candidate, extent, isLong(observed[0] ?? 0)))
    takeAligned(sides, observed, free, matchedBy)
  }
}

function takeAligned(sides: Sides, observed: number[], candidates: Candidate[], matchedBy: MatchedBy): void {
  const lineOf = (index: number) => sides.all[index]?.place.line ?? 0
  const left = observed.toSorted((one, other) => lineOf(one) - lineOf(other))
  const right = [...new Map(candidates.map((candidate) => [candidate.issueId, candidate])).values()].toSorted(
    (one, other) => (one.place.line ?? 0) - (other.place.line ?? 0) || (one.issueId < other.issueId ? -1 : 1),
  )
  const pairs = alignLines(
    left.map(lineOf),
    right.map(({ place }) => place.line ?? 0),
  )
  for (const pair of pairs) {
    const [index, candidate] = [left[pair.left], right[pair.right]]
    if (index !== undefined && candidate) take(sides, index, candidate, matchedBy)
  }
}
