// Pairs equal pieces of code in their order, minimising the total distance between expected and actual lines.

/** Pairs of indexes into the two lists. */
type Pair = { left: number; right: number }

/** With more cells than this, the table of the exact alignment is not built. */
const MOST_CELLS = 4_000_000

/**
 * Pairs every entry of the shorter list with one of the longer, in order, minimising the sum of distances. Both lists are ascending line
 * numbers. If the shorter has a single entry and two of the longer are equally near, nothing is paired. O(n·m) for lists of different
 * length, up to MOST_CELLS; beyond that, each entry takes the nearest one left.
 */
export function alignLines(left: readonly number[], right: readonly number[]): Pair[] {
  if (left.length > right.length) return alignLines(right, left).map((pair) => ({ left: pair.right, right: pair.left }))
  if (left.length === 0) return []
  if (left.length === right.length) return left.map((_, index) => ({ left: index, right: index }))
  if (left.length === 1) return nearestOf(left[0] ?? 0, right)
  return left.length * right.length > MOST_CELLS ? alignGreedily(left, right) : alignExactly(left, right)
}

function nearestOf(line: number, others: readonly number[]): Pair[] {
  const distances = others.map((other) => Math.abs(other - line))
  const least = Math.min(...distances)
  const nearest = distances.flatMap((distance, right) => (distance === least ? [right] : []))
  return nearest.length === 1 ? [{ left: 0, right: nearest[0] ?? 0 }] : []
}

function alignExactly(left: readonly number[], right: readonly number[]): Pair[] {
  const width = right.length + 1
  const taken = new Uint8Array((left.length + 1) * width)
  let above = new Float64Array(width)
  for (let row = 1; row <= left.length; row++) {
    const current = new Float64Array(width).fill(Number.POSITIVE_INFINITY)
    for (let column = row; column < width; column++) {
      const skip = current[column - 1] ?? Number.POSITIVE_INFINITY
      const distance = Math.abs((left[row - 1] ?? 0) - (right[column - 1] ?? 0))
      const take = (above[column - 1] ?? Number.POSITIVE_INFINITY) + distance
      current[column] = Math.min(skip, take)
      if (take < skip) taken[row * width + column] = 1
    }
    above = current
  }
  const pairs: Pair[] = []
  let column = right.length
  for (let row = left.length; row > 0; column--) {
    if (taken[row * width + column] !== 1) continue
    pairs.push({ left: row - 1, right: column - 1 })
    row--
  }
  return pairs.reverse()
}

function alignGreedily(left: readonly number[], right: readonly number[]): Pair[] {
  const pairs: Pair[] = []
  let from = 0
  for (const [index, line] of left.entries()) {
    const last = right.length - (left.length - index)
    let best = from
    while (best < last && Math.abs((right[best + 1] ?? 0) - line) <= Math.abs((right[best] ?? 0) - line)) best++
    pairs.push({ left: index, right: best })
    from = best + 1
  }
  return pairs
}
