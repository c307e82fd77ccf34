// The SQL that tells whether an issue has its status by the word of a VEX statement.

import { type RawBuilder, sql } from 'kysely'

/** True if the last change of the issue's status was made by a statement. */
export const isStated = (companyId: RawBuilder<unknown>, issueId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  coalesce((
    select last.statement_id is not null from issue_event as last
    where last.company_id = ${companyId} and last.issue_id = ${issueId} and last.status is not null
    order by last.id desc limit 1), false)`

/**
 * Whether a VEX document states anything about components of the asset. In the order of an index, because a statement of any order is expected
 * soon in the table, and all may be of other assets.
 */
export const hasStatements = (
  companyId: RawBuilder<unknown>,
  assetId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from vex_statement where company_id = ${companyId} and asset_id = ${assetId} order by component offset 0)`
