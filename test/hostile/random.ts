/** Reproducible pseudo-random numbers: the same seed gives the same sequence. */

/** A source of pseudo-random choices. */
export type Random = {
  /** An integer from 0 to `below` - 1. */
  int(below: number): number
  /** True with a probability of 1 in `times`. */
  onceIn(times: number): boolean
  /** One of the values. */
  pick<T>(values: readonly [T, ...T[]]): T
  pick<T>(values: readonly T[]): T | undefined
  /** Some of the values in their order, at least one if there are any. */
  some<T>(values: readonly T[], most: number): T[]
}

/** The sequence for a seed and an index in a series; neighbouring indexes have unrelated sequences. */
export function randomOf(seed: number, place: number): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(place + 1, 0xc2b2ae35)) | 0

  // The mulberry32 generator, whose 32 bits of state are more than enough here.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function int(below: number): number {
    return Math.floor(next() * below)
  }

  function pick<T>(values: readonly [T, ...T[]]): T
  function pick<T>(values: readonly T[]): T | undefined
  function pick<T>(values: readonly T[]): T | undefined {
    return values[int(values.length)]
  }

  function some<T>(values: readonly T[], most: number): T[] {
    if (values.length === 0) return []
    const wanted = 1 + int(Math.min(most, values.length))
    const left = [...values.keys()]
    while (left.length > wanted) left.splice(int(left.length), 1)
    return values.filter((_, index) => left.includes(index))
  }

  return { int, onceIn: (times) => int(times) === 0, pick, some }
}
