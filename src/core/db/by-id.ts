// Looks up one row of a company by its id, through the key of its table whatever the planner knows of it.

import { type RawBuilder, sql } from 'kysely'

/**
 * The row of a table or view that has the id, as a subselect. While few rows are known, or figures are old, each index that begins with the
 * company looks as good as the key, and what the planner then chooses goes through all of the company's rows for each that is looked up.
 * Only the key has them in the order of ids.
 */
export const byId = (table: RawBuilder<unknown>, companyId: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`(
  select * from ${table} where company_id = ${companyId} and id between ${id} and ${id} order by id limit 1)`
