// Looks up one row of a company by its id, always through the primary key of its table.

import { type RawBuilder, sql } from 'kysely'

/**
 * The row of a table or view that has the id, as a subselect. While a table is small or its statistics are old, every index that begins with
 * the company looks as cheap as the primary key, and the planner may choose one that scans all of the company's rows for each look-up.
 * The order by id leaves the primary key as the only choice.
 */
export const byId = (table: RawBuilder<unknown>, companyId: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`(
  select * from ${table} where company_id = ${companyId} and id between ${id} and ${id} order by id limit 1)`
