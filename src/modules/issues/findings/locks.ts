// The locks under which findings are recorded: few for each asset, shared by the buckets whose hash falls on them.

import { bucketOf } from './finding.ts'
import { hash64 } from './snippet.ts'
import type { ScannedFinding } from './standing.ts'

/** Locks of an asset: few enough that a report of any size holds no more of them. */
const STRIPES = 64n

/** The keys of the findings' buckets, each once and ascending, as pg_advisory_xact_lock takes them. */
export function lockKeysOf(tasks: readonly ScannedFinding[]): string[] {
  const keys = tasks.map(({ scan, finding }) => {
    const asset = BigInt(hash64(`${scan.companyId}/${scan.assetId}`))
    const bucket = BigInt(hash64(bucketOf(scan.assetId, finding)))
    return BigInt.asIntN(64, (asset & ~(STRIPES - 1n)) | (bucket & (STRIPES - 1n)))
  })
  return [...new Set(keys)].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0)).map(String)
}

/** All locks of an asset, in rising order. */
export function stripesOf(companyId: string, assetId: string): string[] {
  const asset = BigInt(hash64(`${companyId}/${assetId}`)) & ~(STRIPES - 1n)
  return Array.from({ length: Number(STRIPES) }, (_, stripe) => String(BigInt.asIntN(64, asset | BigInt(stripe))))
}
