// Takes in the unchanged findings of a report in bulk, before the others are matched one by one.

import type { Trx } from '../../core/db/open.ts'
import type { ImportKey } from './store-stage.ts'
import { type Origin, takeUnchanged, type Unchanged, waysToPlaces } from './store-unchanged.ts'

/** Findings taken in by one statement, if buckets are of even size; many with ALL, where every statement reads all places. */
const AT_ONCE = { EACH: 20_000, ALL: 500_000 }

/** Buckets are hashes, and so are spread evenly over 64 bits. */
const LEAST = -(2n ** 63n)
const ALL = 2n ** 64n

/** Takes in the unchanged of the `findings` staged ones, statement by statement, and removes them from the stage. */
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
