// Lists of values in statements that are planned once for lists of any length.

import { type RawBuilder, sql } from 'kysely'

const types = {
  text: sql`text[]`,
  bigint: sql`bigint[]`,
  int: sql`int[]`,
  issue_type: sql`issue_type[]`,
}

/**
 * The values as an array whose length the planner cannot see. If it sees a short list, it finds a plan for that list cheaper than the generic
 * plan that it has cached, and so plans the statement again at each use, which takes longer than running it.
 */
export const anyList = (type: keyof typeof types, values: readonly (string | null)[]): RawBuilder<unknown> =>
  sql`(select ${values}::${types[type]})`
