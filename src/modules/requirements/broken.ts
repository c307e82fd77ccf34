// The checks that a finding violates: from the finding to its weaknesses, the attack patterns that use them, and their checks.

import { authorizeOwn } from '../access/service.ts'
import { type Context, load } from '../context.ts'
import { type IssueKey, keyOf, loadFacets } from '../issues/service.ts'
import { patternsUsing } from './catalogue.ts'
import { type Check, findChecksById } from './store-checks.ts'
import { findBrokenIds } from './store-facts.ts'

/** The most checks shown for one finding. */
const MOST_SHOWN = 100

/** Three statements for all findings of a request. Findings that are closed or name no weakness have none. */
export async function listBrokenChecks(context: Context, issue: Parameters<typeof keyOf>[0]): Promise<Check[]> {
  authorizeOwn(context, 'requirements:read')
  return (await load(context, loadBrokenChecks, keyOf(issue))) ?? []
}

async function loadBrokenChecks(context: Context, keys: readonly IssueKey[]): Promise<Map<IssueKey, Check[]>> {
  const facets = await Promise.all(keys.map((key) => load(context, loadFacets, key)))
  const asked = keys.flatMap((key, number) => {
    const capecIds = patternsUsing(facets[number]?.cweIds ?? [])
    const [companyId = '', issueId = ''] = key.split('/')
    return capecIds.length > 0 ? [{ number, companyId, issueId, capecIds }] : []
  })
  if (asked.length === 0) return new Map()
  const found = await findBrokenIds(context.db, asked, MOST_SHOWN)
  const ids = [...new Set(found.flatMap((one) => one.ids))]
  const checks = new Map((await findChecksById(context.db, context.viewer, ids)).map((check) => [check.id, check]))
  return new Map(found.map((one) => [keys[one.number] ?? '', one.ids.flatMap((id) => checks.get(id) ?? [])]))
}
