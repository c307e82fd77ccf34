// Looks up the findings for many single reports in one statement: each report is a row, with index lookups of its own.

import { type RawBuilder, sql } from 'kysely'
import type { Id } from '../../../core/ids.ts'
import { matchingOf, version, type Wanted } from './store-known.ts'

/** The bucket of one finding, and the evidence by which it may be known. */
export type Sought = {
  type: string
  rule: string
  toolId: string | null
  fingerprint: string | null
  partialFingerprint: string | null
  path: string | null
  snippetHash: string | null
}

/** The search for one observation, which has at most one value of each kind. */
export function soughtOf(wanted: Extract<Wanted, { extent: 'PARTIAL' }>): Sought {
  const { types, rules, toolIds, fingerprints, partialFingerprints, paths, snippetHashes } = wanted
  return {
    type: types[0] ?? '',
    rule: rules[0] ?? '',
    toolId: toolIds[0] ?? null,
    fingerprint: fingerprints[0] ?? null,
    partialFingerprint: partialFingerprints[0] ?? null,
    path: paths[0] ?? null,
    snippetHash: snippetHashes[0] ?? null,
  }
}

/** The issues that a row of a table `asked` searches for on its asset, each with its places. */
export const matchingAsked = (companyId: RawBuilder<unknown>): RawBuilder<unknown> => {
  const mine = sql`company_id = ${companyId} and asset_id = asked."assetId"`
  const ids = sql`select id from finding where ${mine} and original_issue_id = asked."toolId"
    union select id from finding where ${mine} and fingerprint = asked.fingerprint
    union select id from finding where ${mine} and partial_fingerprint = asked."partialFingerprint"
    union select issue_id from occurrence where ${mine} and path = asked.path
    union select issue_id from occurrence where ${mine} and snippet_hash = asked."snippetHash"`
  return matchingOf(companyId, ids, sql`type = asked.type and rule = asked.rule`)
}

/** True if the search of a row of `asked` still gives what was read before, with the same `versions`. */
export const isAsRead = (companyId: Id): RawBuilder<boolean> => sql`
  array(select ${version} from ${matchingAsked(sql`${companyId}::bigint`)} order by 1) = asked.versions`
