// Hides a company's id from PostgreSQL's planner, in statements that look up row by row.

import { type RawBuilder, sql } from 'kysely'
import type { Id } from '../ids.ts'

/**
 * The company's id, bigint, as one that the planner does not know. A company that has just come is in none of its figures, so that it
 * would be taken for a single row, and any index that begins with the company be looked through for each row that is wanted.
 */
export const anyCompany = (companyId: Id): RawBuilder<unknown> => sql`(select ${companyId}::bigint)`
