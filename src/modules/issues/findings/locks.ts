// The advisory locks under which findings are recorded: a fixed number per asset, shared by the buckets that hash to them.

import { bucketOf, type Finding } from './finding.ts'
import { hash64 } from './snippet.ts'
import type { ScannedFinding } from './standing.ts'
import { isComponent } from './twins.ts'

/** Locks per asset: the most that a report of any size can hold. */
const STRIPES = 64n

/**
 * The distinct lock keys, ascending, of the findings' buckets and of the places that other tools may report, for pg_advisory_xact_lock.
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

/** What findings of two tools would share; all components share one key, because tools spell their names differently. */
function sharedOf({ type, toolName, fields, place }: Finding): string[] {
  if (toolName === '') return []
  if (isComponent(type)) return ['a component']
  return place.path && fields.cweIds && fields.cweIds.length > 0 ? [place.path] : []
}

/** All locks of an asset, ascending. */
export function stripesOf(companyId: string, assetId: string): string[] {
  const asset = BigInt(hash64(`${companyId}/${assetId}`)) & ~(STRIPES - 1n)
  return Array.from({ length: Number(STRIPES) }, (_, stripe) => String(BigInt.asIntN(64, asset | BigInt(stripe))))
}
