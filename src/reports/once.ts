// Tells what a report says twice: some tools report one finding again, word for word.

import { createHash } from 'node:crypto'

/** Findings that are remembered; what comes after them is taken as new. */
const MOST_REMEMBERED = 500_000

/** Where the same was told before; undefined the first time. `same` holds all by which one finding is told from another. */
export function rememberer(): (same: readonly unknown[], at: string) => string | undefined {
  const seen = new Map<string, string>()
  return (same, at) => {
    const key = createHash('sha256').update(JSON.stringify(same)).digest('base64')
    const first = seen.get(key)
    if (first === undefined && seen.size < MOST_REMEMBERED) seen.set(key, at)
    return first
  }
}
