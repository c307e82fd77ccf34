// Compares the issues of two replays with each other, and those of one with the issues that there are.

import type { PlaceRow } from './place-rows.ts'

/** `rows`: the indexes of the rows that show the difference. */
type Difference = { change: 'MERGE' | 'SPLIT'; rows: number[] }

type Comparison = { merges: number; splits: number; differences: Difference[] }

/** How many issues the second replay merges and splits, and the rows that show each. Pure. */
export function compareReplays(before: readonly (number | null)[], after: readonly (number | null)[]): Comparison {
  const merged = differences(after, before, 'MERGE')
  const split = differences(before, after, 'SPLIT')
  return { merges: merged.count, splits: split.count, differences: [...merged.found, ...split.found] }
}

/** By how many issues a replay differs from the issues that there are. */
export function countUnlike(rows: readonly PlaceRow[], replayed: readonly (number | null)[]): number {
  const numbers = new Map<string, number>()
  const real = rows.map(({ issueId }, n) => {
    if (replayed[n] === null) return null
    const number = numbers.get(issueId) ?? numbers.size
    numbers.set(issueId, number)
    return number
  })
  const { merges, splits } = compareReplays(real, replayed)
  return merges + splits
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
