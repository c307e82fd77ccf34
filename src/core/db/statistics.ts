// Renews the planner's statistics of tables that have grown much, instead of waiting for autovacuum to do so.

import { sql } from 'kysely'
import type { Db, Trx } from './open.ts'
import type { Database } from './tables.generated.ts'

/** A table's statistics are too old once it has this many times its known size, and this many pages; autovacuum handles slower growth. */
const GROWN = 1.5
const LEAST_PAGES = 100

/**
 * Analyses those of the tables that have grown much since they were analysed last, one statement each, so that none delays the others.
 * `onFault` receives failures. Returns the tables that have new statistics.
 */
export async function analyseGrown(
  db: Db,
  tables: readonly (keyof Database)[],
  onFault: (error: unknown) => void,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${tables}::text[]) as name join pg_class on pg_class.oid = to_regclass(name)
    where pg_relation_size(pg_class.oid) / current_setting('block_size')::int > greatest(relpages * ${GROWN}::float8, ${LEAST_PAGES})
    order by name`.execute(db)
  const analysed: string[] = []
  for (const { name } of rows) {
    try {
      await sql`analyze ${sql.table(name)}`.execute(db)
      analysed.push(name)
    } catch (error) {
      onFault(error)
    }
  }
  return analysed
}

/**
 * Analyses `finding`, including what this transaction wrote, if its statistics are of so few rows that the planner takes each row for a
 * company of its own: any index that begins with the company then looks as good as the primary key. A rollback undoes the new statistics.
 * Until the transaction ends nobody else can analyse the table; if somebody else is doing so now, this does nothing. One or two statements.
 */
export async function analyseSmall(trx: Trx): Promise<void> {
  const { rows } = await sql`
    select from pg_stats where schemaname = current_schema() and tablename = 'finding' and attname = 'company_id' and n_distinct < 0`.execute(
    trx,
  )
  if (rows.length > 0) await sql`analyze (skip_locked) finding`.execute(trx)
}
