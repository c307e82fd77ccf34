// Lists of values in statements that are planned once for lists of any length.

import { type RawBuilder, sql } from 'kysely'

const types = {
  text: sql`text[]`,
  bigint: sql`bigint[]`,
  int: sql`int[]`,
  issue_type: sql`issue_type[]`,
}

/**
 * The values as an array whose length the planner does not know. Of one that it knows it finds plans for few values cheaper than the one for
 * any number that it keeps, so that it would plan the statement at each use, which takes longer than the statement.
 */
export const anyList = (type: keyof typeof types, values: readonly (string | null)[]): RawBuilder<unknown> =>
  sql`(select ${values}::${types[type]})`
