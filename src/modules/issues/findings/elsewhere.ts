// Recognises code that has moved as a whole from one file to another, for example when files were merged.

import type { Place } from './finding.ts'
import { groupSides, type Sides, take } from './sides.ts'

/** Pairs equal code, in order, if all that is left of it was in one file and is now in one other file, the same number of times. */
export function takeFromOneFile(sides: Sides): void {
  const groups = groupSides(
    sides,
    ({ snippet }) => snippet?.hash ?? null,
    ({ isOpen, snippetHash }) => (isOpen ? snippetHash : null),
  )
  for (const { observed, candidates } of groups) {
    const there = inOrder(observed, (index) => sides.all[index]?.place)
    const before = inOrder(candidates, ({ place }) => place)
    if (there?.length !== before?.length) continue
    for (const [at, index] of (there ?? []).entries()) {
      const candidate = before?.[at]
      if (candidate) take(sides, index, candidate, 'SNIPPET_ELSEWHERE')
    }
  }
}

/** Sorted from the top of the file to its end; null if they are in several files, or if the order of two is unknown. */
function inOrder<T>(items: readonly T[], placeOf: (item: T) => Place | undefined): T[] | null {
  const placed = items.map((item) => ({ item, ...placeOf(item) }))
  placed.sort((one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0))
  const isOrdered = placed.every(({ path, line, column }, at) => {
    const before = placed[at - 1]
    if (line === null || path !== placed[0]?.path) return false
    return before === undefined || before.line !== line || (before.column ?? 0) < (column ?? 0)
  })
  return isOrdered ? placed.map(({ item }) => item) : null
}
