// Decides which observations are known findings, by seven kinds of evidence, strongest first.

import { takeFromOneFile } from './elsewhere.ts'
import type { Candidate, Extent, Match, Observed } from './evidence.ts'
import type { Place } from './finding.ts'
import { type IdentityField, identityFields } from './finding.ts'
import { bySnippetInFile, byStyleInFile, mayHaveMoved, snippetKey } from './in-file.ts'
import { areOne, groupSides, offer, openSides, type Pass, type Sides, take, takeSingles } from './sides.ts'

/** The distance in lines within which a replaced line is searched for if only part of a scan is known. */
const NEAR = 10

/** A place with more possible pairs than this is left to the other evidence. */
const MOST_PAIRS = 10_000

/**
 * Returns for each observation of one bucket (asset, type, tool, rule) the known finding that it matches, or NEW. Each pass works on what
 * earlier ones left over, and takes nothing where it is ambiguous. Findings of the branch come before those known only on other branches,
 * open ones before closed ones, and those whose line still exists before those whose line is gone: the latter are recognised by their
 * code only, and never taken for something new nearby. `counts`: the evidence that counts.
 */
export function matchBucket(
  all: readonly Observed[],
  candidates: readonly Candidate[],
  extent: Extent,
  counts: readonly IdentityField[] = identityFields,
): Match[] {
  const own = candidates.filter(({ isOwnBranch }) => isOwnBranch)
  const here = new Set(own.map(({ issueId }) => issueId))
  const others = candidates.filter(({ isOwnBranch, issueId }) => !isOwnBranch && !here.has(issueId))
  const gone = own.filter(({ isGone }) => isGone)
  const standing = own.filter(({ isGone }) => !isGone)
  const sides = openSides(counts.includes('SNIPPET') ? all : all.map((one) => ({ ...one, snippet: null })))
  const match = (offered: readonly Candidate[], passes: readonly CountedPass[]) => {
    offer(sides, offered)
    for (const [field, pass] of passes) if (counts.includes(field)) pass(sides, extent)
  }
  match(own, passesOfIds)
  match(standing, [passOfPlace])
  match(gone, [passOfPlace])
  match(own, [...passesOfCode, passElsewhere])
  match(standing, [passOfLines])
  match(others, [...passesOfIds, passOfPlace, ...passesOfCode])
  return sides.matches
}

type CountedPass = readonly [IdentityField, Pass]

const byToolId: Pass = (sides) =>
  takeSingles(
    sides,
    'TOOL_ID',
    ({ toolId }) => toolId,
    ({ toolId }) => toolId,
  )

const byFingerprint: Pass = (sides) =>
  takeSingles(
    sides,
    'FINGERPRINT',
    ({ fingerprint }) => fingerprint,
    ({ fingerprint }) => fingerprint,
  )

const placeKey = ({ path, line, token }: Place): string | null =>
  path === null && token === null ? null : JSON.stringify([path, line, token])

const byPlace: Pass = (sides, extent) => {
  const isRepeated = extent === 'WHOLE' ? repeatedIn(sides) : () => false
  for (const isOpen of [true, false]) {
    const groups = groupSides(
      sides,
      ({ place }) => placeKey(place),
      (candidate) => (candidate.isOpen === isOpen ? placeKey(candidate.place) : null),
    )
    for (const { observed, candidates } of groups) {
      if (!isLeftToOrder(sides, observed, candidates, isRepeated)) takeSamePlace(sides, observed, candidates)
    }
  }
}

/**
 * Without a diff, the number of one of several equal lines proves nothing, because another of them may be there now; their order does.
 */
function isLeftToOrder(
  { all }: Sides,
  [index, ...others]: readonly number[],
  candidates: readonly Candidate[],
  isRepeated: (key: string | null) => boolean,
): boolean {
  const one = index === undefined ? undefined : all[index]
  if (!one || others.length > 0 || !areOne(candidates)) return false
  const isUntold = candidates.every(({ isMapped, snippetHash }) => !isMapped && snippetHash === one.snippet?.hash)
  return isUntold && isRepeated(snippetKey(one.place.path, one.snippet?.hash))
}

/** A predicate for code that occurs more than once in a file, on either side. */
function repeatedIn({ all, observed, candidates }: Sides): (key: string | null) => boolean {
  const seen = countBy([...observed], (index) => snippetKey(all[index]?.place.path ?? null, all[index]?.snippet?.hash))
  const known = countBy([...candidates], ({ place, snippetHash }) => snippetKey(place.path, snippetHash))
  return (key) => key !== null && ((seen.get(key) ?? 0) > 1 || (known.get(key) ?? 0) > 1)
}

/** Takes the pairs of one place of which neither side fits another; pairs with the same column, if both have one, come first. */
function takeSamePlace(sides: Sides, observed: number[], candidates: Candidate[]): void {
  if (observed.length * candidates.length > MOST_PAIRS) return
  const isSame = (index: number, candidate: Candidate) => {
    const one = sides.all[index]
    return one !== undefined && isSamePlace(one, candidate)
  }
  const isExact = (index: number, candidate: Candidate) =>
    sides.all[index]?.place.column === candidate.place.column && candidate.place.column !== null
  for (const fits of [
    (index: number, candidate: Candidate) => isExact(index, candidate) && isSame(index, candidate),
    isSame,
  ]) {
    const left = observed.filter((index) => sides.observed.has(index))
    const free = candidates.filter((candidate) => sides.candidates.has(candidate))
    const pairs = left.flatMap((index) => {
      const fitting = free.filter((candidate) => fits(index, candidate))
      return areOne(fitting) && fitting[0] ? [{ index, candidate: fitting[0] }] : []
    })
    const suitors = countBy(pairs, ({ candidate }) => candidate.issueId)
    const contested = (candidate: Candidate) => left.filter((index) => fits(index, candidate)).length > 1
    for (const { index, candidate } of pairs) {
      if (suitors.get(candidate.issueId) === 1 && !contested(candidate)) take(sides, index, candidate, 'PLACE')
    }
  }
}

function isSamePlace({ place, snippet }: Observed, candidate: Candidate): boolean {
  const { column } = candidate.place
  if (place.column !== null && column !== null && place.column !== column) return false
  const isContradicted = snippet !== null && candidate.snippetHash !== null && snippet.hash !== candidate.snippetHash
  return (candidate.isMapped && candidate.isOpen) || !isContradicted
}

const byContext: Pass = (sides, extent) =>
  takeSingles(
    sides,
    'CONTEXT',
    (one) => contextKey(one.partialFingerprint, one.place),
    (candidate) =>
      mayHaveMoved(candidate, extent, true) ? contextKey(candidate.partialFingerprint, candidate.place) : null,
  )

/** Our own hash of surrounding lines is valid within one file; a tool's partial fingerprint in any. */
const contextKey = (partial: string | null, { path }: Place): string | null =>
  partial?.startsWith('lines:') ? JSON.stringify([partial, path]) : partial

const bySnippetElsewhere: Pass = (sides, extent) => {
  takeSingles(
    sides,
    'SNIPPET_ELSEWHERE',
    ({ snippet }) => snippet?.hash ?? null,
    (candidate) => (mayHaveGone(candidate, extent) ? candidate.snippetHash : null),
  )
  if (extent === 'WHOLE') takeFromOneFile(sides)
}

const mayHaveGone = (candidate: Candidate, extent: Extent): boolean =>
  candidate.isOpen && (extent === 'WHOLE' || (candidate.isTouched && candidate.seen !== 'HERE'))

const byNearestLine: Pass = (sides, extent) => {
  const groups = groupSides(
    sides,
    ({ place }) => (place.line === null ? null : place.path),
    ({ place, isOpen }) => (place.line === null || !isOpen ? null : place.path),
  )
  for (const { observed, candidates } of groups) {
    const [index] = observed
    const free = extent === 'WHOLE' ? candidates : candidates.filter((candidate) => isNear(sides, index, candidate))
    const [candidate] = free
    if (observed.length === 1 && areOne(free) && index !== undefined && candidate) {
      take(sides, index, candidate, 'NEAREST_LINE')
    }
  }
}

/** For part of a scan: whether the line was replaced nearby or, without a diff, is the same line and its code is nowhere else. */
function isNear(sides: Sides, index: number | undefined, candidate: Candidate): boolean {
  const one = index === undefined ? undefined : sides.all[index]
  if (!one || candidate.seen === 'HERE') return false
  const distance = Math.abs((one.place.line ?? 0) - (candidate.place.line ?? 0))
  if (candidate.isTouched) return distance <= NEAR
  if (candidate.isMapped || distance > 0) return false
  const isElsewhere = [...sides.candidates].some(
    (other) => other.place.path === one.place.path && other.snippetHash === one.snippet?.hash,
  )
  return !isElsewhere
}

const passesOfIds: readonly CountedPass[] = [
  ['TOOL_ID', byToolId],
  ['FINGERPRINT', byFingerprint],
]
const passOfPlace: CountedPass = ['PLACE', byPlace]
const passesOfCode: readonly CountedPass[] = [
  ['SNIPPET', bySnippetInFile],
  ['CONTEXT', byContext],
  ['SNIPPET', byStyleInFile],
]
const passElsewhere: CountedPass = ['SNIPPET', bySnippetElsewhere]
const passOfLines: CountedPass = ['PLACE', byNearestLine]

function countBy<T, Key>(items: readonly T[], key: (item: T) => Key): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1)
  return counts
}
