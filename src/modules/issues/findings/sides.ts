// The two sides of a matching, observations and known findings: what is left of each, and how pairs are taken.

import type { Candidate, Extent, Match, MatchedBy, Observed } from './evidence.ts'

/** `observed` and `candidates` are what is left; `all` are the observations by index, `matches` the results so far. */
export type Sides = {
  all: readonly Observed[]
  matches: Match[]
  observed: Set<number>
  candidates: Set<Candidate>
  ofIssue: Map<string, Candidate[]>
}

/** Takes the pairs of one kind of evidence among what is left. */
export type Pass = (sides: Sides, extent: Extent) => void

export function openSides(all: readonly Observed[]): Sides {
  const matches = all.map((): Match => ({ matchedBy: 'NEW', candidate: null }))
  return { all, matches, observed: new Set(all.keys()), candidates: new Set(), ofIssue: new Map() }
}

/** Makes these findings, as far as they are unmatched, the candidates for the remaining observations. */
export function offer(sides: Sides, candidates: readonly Candidate[]): void {
  const taken = new Set(sides.matches.map(({ candidate }) => candidate?.issueId))
  const left = candidates.filter(({ issueId }) => !taken.has(issueId))
  sides.candidates = new Set(left)
  sides.ofIssue = Map.groupBy(left, ({ issueId }) => issueId)
}

type Group = { observed: number[]; candidates: Candidate[] }

/** Groups what is left on both sides by key; only keys that both sides have. Entries with a null key are left out. */
export function groupSides(
  sides: Sides,
  keyOfObserved: (observed: Observed) => string | null,
  keyOfCandidate: (candidate: Candidate) => string | null,
): Group[] {
  const known = new Map<string, Candidate[]>()
  for (const candidate of sides.candidates) {
    const key = keyOfCandidate(candidate)
    if (key === null) continue
    const group = known.get(key)
    if (group) group.push(candidate)
    else known.set(key, [candidate])
  }
  const groups = new Map<string, Group>()
  for (const index of known.size === 0 ? [] : sides.observed) {
    const observed = sides.all[index]
    const key = observed ? keyOfObserved(observed) : null
    const candidates = key === null ? undefined : known.get(key)
    if (key === null || !candidates) continue
    const group = groups.get(key)
    if (group) group.observed.push(index)
    else groups.set(key, { observed: [index], candidates })
  }
  return [...groups.values()]
}

/** Takes the pairs whose key exactly one observation and one finding have; an open finding before closed ones. */
export function takeSingles(
  sides: Sides,
  matchedBy: MatchedBy,
  keyOfObserved: (observed: Observed) => string | null,
  keyOfCandidate: (candidate: Candidate) => string | null,
): void {
  for (const { observed, candidates } of groupSides(sides, keyOfObserved, keyOfCandidate)) {
    const open = candidates.filter(({ isOpen }) => isOpen)
    const possible = open.length > 0 ? open : candidates
    const [index] = observed
    const [candidate] = possible
    if (observed.length === 1 && areOne(possible) && index !== undefined && candidate) {
      take(sides, index, candidate, matchedBy)
    }
  }
}

/** Whether all candidates are the same finding, which may be known on several other branches. */
export const areOne = (candidates: readonly Candidate[]): boolean =>
  candidates.length > 0 && candidates.every(({ issueId }) => issueId === candidates[0]?.issueId)

export function take(sides: Sides, index: number, candidate: Candidate, matchedBy: MatchedBy): void {
  sides.matches[index] = { matchedBy, candidate }
  sides.observed.delete(index)
  for (const other of sides.ofIssue.get(candidate.issueId) ?? []) sides.candidates.delete(other)
}
