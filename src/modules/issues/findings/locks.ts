// The locks under which findings are recorded: few for each asset, shared by the buckets whose hash falls on them.

import { bucketOf, type Finding } from './finding.ts'
import { hash64 } from './snippet.ts'
import type { ScannedFinding } from './standing.ts'
import { isComponent } from './twins.ts'

/** Locks of an asset: few enough that a report of any size holds no more of them. */
const STRIPES = 64n

/**
 * The keys of the findings' buckets, and of the places of which another tool may speak, each once and ascending, as
 * pg_advisory_xact_lock takes them.
 */
export function lockKeysOf(tasks: readonly ScannedFinding[]): string[] {
  const keys = tasks.flatMap(({ scan, finding }) => {
    const asset = BigInt(hash64(`${scan.companyId}/${scan.assetId}`))
    return [bucketOf(scan.assetId, finding), ...sharedOf(finding)].map((name) =>
      BigInt.asIntN(64, (asset & ~(STRIPES - 1n)) | (BigInt(hash64(name)) & (STRIPES - 1n))),
    )
  })
  return [...new Set(keys)].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0)).map(String)
}

/** What findings of two tools would have in common; of a component one name for all, because tools write its name in many ways. */
function sharedOf({ type, toolName, fields, place }: Finding): string[] {
  if (toolName === '') return []
  if (isComponent(type)) return ['a component']
  return place.path && fields.cweIds && fields.cweIds.length > 0 ? [place.path] : []
}

/** All locks of an asset, in rising order. */
export function stripesOf(companyId: string, assetId: string): string[] {
  const asset = BigInt(hash64(`${companyId}/${assetId}`)) & ~(STRIPES - 1n)
  return Array.from({ length: Number(STRIPES) }, (_, stripe) => String(BigInt.asIntN(64, asset | BigInt(stripe))))
}
