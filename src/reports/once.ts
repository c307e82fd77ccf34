// Detects duplicates within a report: some tools report the same finding several times.

import { createHash } from 'node:crypto'

/** How many findings are remembered; later ones are taken as new. */
const MOST_REMEMBERED = 500_000

/** Where the same finding occurred before; undefined the first time. `same` is everything that distinguishes findings. */
export function rememberer(): (same: readonly unknown[], at: string) => string | undefined {
  const seen = new Map<string, string>()
  return (same, at) => {
    const key = createHash('sha256').update(JSON.stringify(same)).digest('base64')
    const first = seen.get(key)
    if (first === undefined && seen.size < MOST_REMEMBERED) seen.set(key, at)
    return first
  }
}
