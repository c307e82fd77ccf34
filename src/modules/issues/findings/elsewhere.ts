// Knows equal code again that has left one file for another, as where files were joined.

import type { Place } from './evidence.ts'
import { groupSides, type Sides, take } from './sides.ts'

/** Of equal code all that is left stood in one file and stands in one other, as often: pairs it in its order. */
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

/** From the top of the file to its end; null where they stand in several files, or where the order of two is not known. */
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
