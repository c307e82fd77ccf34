// The SQL that tells whether an issue has its status by the word of a VEX statement.

import { type RawBuilder, sql } from 'kysely'

/** True if the last change of the issue's status was made by a statement. */
export const isStated = (companyId: RawBuilder<unknown>, issueId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  coalesce((
    select last.statement_id is not null from issue_event as last
    where last.company_id = ${companyId} and last.issue_id = ${issueId} and last.status is not null
    order by last.id desc limit 1), false)`
