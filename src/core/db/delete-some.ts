// Deletes rows that are kept no longer, some at a time.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from './open.ts'

/**
 * Deletes at most so many rows of the table for which `isOver` holds, in one statement, and returns how many, so that the caller can repeat it.
 * They are deleted where they were found: looked up again by their keys, they would be sought among all.
 */
export async function deleteSome(
  db: Db,
  table: RawBuilder<unknown>,
  isOver: RawBuilder<unknown>,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${isOver} limit ${most}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
