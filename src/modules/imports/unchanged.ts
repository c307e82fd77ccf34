// Takes in, before anything is decided, what a report says again word for word.

import type { Trx } from '../../core/db/open.ts'
import type { ImportKey } from './store-stage.ts'
import { type Origin, takeUnchanged, type Unchanged, waysToPlaces } from './store-unchanged.ts'

/** Findings that one statement takes in, as far as their buckets are even in size: many where each statement reads all places. */
const AT_ONCE = { EACH: 20_000, ALL: 500_000 }

/** All buckets lie within 64 bits, and evenly, for they are hashes. */
const LEAST = -(2n ** 63n)
const ALL = 2n ** 64n

/** The findings that were as they had been, of `findings` that are staged, statement by statement; they are no longer staged then. */
export async function* unchangedOf(
  trx: Trx,
  key: ImportKey,
  origin: Origin,
  findings: number,
): AsyncGenerator<readonly Unchanged[]> {
  if (origin.scan.isOlder) return
  const way = await waysToPlaces(trx, origin.scan, findings)
  if (way === 'NONE') return
  const parts = BigInt(Math.ceil(findings / AT_ONCE[way]))
  for (let part = 0n; part < parts; part++) {
    const [from, to] = [LEAST + (ALL * part) / parts, LEAST + (ALL * (part + 1n)) / parts - 1n]
    yield await takeUnchanged(trx, key, origin, from, to, way)
  }
}
