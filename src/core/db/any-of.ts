// Hides a number of ids from PostgreSQL's planner, in statements that look up rows by them.

import { type RawBuilder, sql } from 'kysely'
import type { Id } from '../ids.ts'

/**
 * The operand of `id = …` that is true for each of these ids (bigint), in a statement that finds rows by their key. Of a thousand ids that it
 * can see, the planner would rather read all rows of their company, as long as these seem to be few.
 */
export const anyOf = (ids: readonly Id[]): RawBuilder<unknown> => sql`any(array(select unnest(${ids}::bigint[])))`
