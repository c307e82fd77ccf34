// The one definition, in SQL, of which findings are similar.

import { type RawBuilder, sql } from 'kysely'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'

/** Beyond this many, any will do: sorting all of them by age would take longer than a person waits. */
const MOST_SIMILAR = 1000

/**
 * True for an open issue of the company that is similar to the finding with this id. Only the strongest similarity counts: the same
 * vulnerability; if the finding names none, a common weakness; if it has neither, the same rule of the same tool in the same asset. Each is
 * one index lookup. The ids are an array, so that they are looked up by key whatever the order of the list.
 */
export const isSimilarTo = (companyId: Id, id: Id): RawBuilder<boolean> => sql<boolean>`issue.id = any(array(
  select other.id from finding as own cross join lateral (
    ${open(companyId, sql`issue.vulnerability_ids && own.vulnerability_ids and issue.vulnerability_ids <> '{}'`)}
    union all
    ${open(companyId, sql`issue.cwe_ids && own.cwe_ids and own.vulnerability_ids = '{}'`)}
    union all
    ${open(
      companyId,
      sql`issue.asset_id = own.asset_id and issue.type = own.type and md5(issue.rule) = md5(own.rule) and issue.rule = own.rule
        and issue.tool_name = own.tool_name and own.vulnerability_ids = '{}' and own.cwe_ids = '{}'`,
    )}) as other
  where own.company_id = ${companyId} and own.id = ${id} and other.id <> coalesce(own.merged_into_id, own.id)))`

const open = (companyId: Id, likeness: RawBuilder<unknown>) => sql`(
  select issue.id from issue where issue.company_id = ${companyId} and ${isOpenIssue} and ${likeness}
  limit ${MOST_SIMILAR})`
