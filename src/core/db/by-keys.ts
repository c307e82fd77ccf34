// Runs statements that look up many rows by their keys with sequential scans turned off.

import { sql } from 'kysely'
import type { Trx } from './open.ts'

/**
 * Has rows found by their keys however small their table is. What looks worth reading whole once is read for each row: PostgreSQL checks a
 * foreign key that way, of an asset for one, as long as the table has but a hundred.
 */
export async function byKeys<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
  await sql`set local enable_seqscan = off`.execute(trx)
  const done = await work()
  await sql`set local enable_seqscan to default`.execute(trx)
  return done
}
