// Takes in, before anything is decided, what a report says again word for word.

import type { Trx } from '../../core/db/open.ts'
import type { ImportKey } from './store-stage.ts'
import { hasPlaces, type Origin, takeUnchanged, type Unchanged } from './store-unchanged.ts'

/** Findings that one statement takes in, as far as their buckets are even in size. */
const AT_ONCE = 20_000

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
  if (origin.scan.isOlder || !(await hasPlaces(trx, origin.scan))) return
  const parts = BigInt(Math.ceil(findings / AT_ONCE))
  for (let part = 0n; part < parts; part++) {
    const [from, to] = [LEAST + (ALL * part) / parts, LEAST + (ALL * (part + 1n)) / parts - 1n]
    yield await takeUnchanged(trx, key, origin, from, to)
  }
}
