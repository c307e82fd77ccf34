// Hides a company's id from PostgreSQL's planner, in statements that look up row by row.

import { type RawBuilder, sql } from 'kysely'
import type { Id } from '../ids.ts'

/**
 * The company's id (bigint) as a value that the planner cannot see. A new company is in none of the planner's statistics, so the planner
 * would expect a single row, and would scan any index that begins with the company once for each row that is looked up.
 */
export const anyCompany = (companyId: Id): RawBuilder<unknown> => sql`(select ${companyId}::bigint)`
