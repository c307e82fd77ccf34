// Which findings are similar: the one place that says so, in SQL.

import { type RawBuilder, sql } from 'kysely'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'

/** Of more than these any will do: to sort them all by age would take longer than who looks on would wait. */
const MOST_SIMILAR = 1000

/**
 * True for an open issue of the company that is similar to the finding with this id, the nearest likeness alone: the same vulnerability;
 * where it names none, a weakness in common; where it has neither, the same rule of the same tool in the same asset. Each is one look
 * into an index. The ids are an array, so that they are looked up by their key, in whatever order the list is.
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
