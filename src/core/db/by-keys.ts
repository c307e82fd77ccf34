// Runs statements that look up many rows by their keys with sequential scans turned off.

import { sql } from 'kysely'
import type { Trx } from './open.ts'

/**
 * Runs `work` with index look-ups even on small tables. A table that seems cheap to scan once is otherwise scanned for every row: PostgreSQL
 * checks foreign keys that way (for example to `asset`) while the referenced table has only about a hundred rows.
 */
export async function byKeys<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`set local enable_seqscan = off`.execute(trx)
  const done = await work()
  await sql`set local enable_seqscan to default`.execute(trx)
  return done
}
