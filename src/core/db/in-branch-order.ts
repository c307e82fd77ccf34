// Makes PostgreSQL's planner look a branch up in an index of branches.

import { type RawBuilder, sql } from 'kysely'

/**
 * The end of a subquery's `where` that leaves the rows of one branch, in the order of branches. Without an order the planner may take any other
 * index of the asset, and read all of its rows, where it expects few.
 */
export const inBranchOrder = (branch: RawBuilder<unknown> | string): RawBuilder<unknown> =>
  sql`branch between ${branch} and ${branch} order by branch offset 0`
