// Makes PostgreSQL's planner look rows up in the index of a column.

import { type RawBuilder, sql } from 'kysely'

/**
 * The end of a subquery's `where` that leaves the rows with one value of a column, in the order of that column. Without an order the planner may
 * take any other index, and read far more rows, where it expects few.
 */
export const inOrderOf = (column: RawBuilder<unknown>, value: RawBuilder<unknown> | string): RawBuilder<unknown> =>
  sql`${column} between ${value} and ${value} order by ${column} offset 0`
