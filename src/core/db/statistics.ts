// Renews the planner's statistics of tables that have grown much, instead of waiting for autovacuum to do so.

import { sql } from 'kysely'
import type { Db, Trx } from './open.ts'
import type { Database } from './tables.generated.ts'

/** A table's statistics are too old once it has this many times its known size, and this many pages; autovacuum handles slower growth. */
const GROWN = 1.5
const LEAST_PAGES = 100

/**
 * Analyses those of the tables that have grown much since they were analysed last, one statement each, so that none delays the others.
 * A table that somebody else analyses, or for which analyseSmall has provided, is left alone: an import that goes on has more to say about
 * it. `onFault` receives failures. Returns the tables that have new statistics.
 */
export async function analyseGrown(
  db: Db,
  tables: readonly (keyof Database)[],
  onFault: (error: unknown) => void,
): Promise<string[]> {
  const grown = await grownOf(db, tables)
  for (const name of grown) {
    try {
      await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db)
    } catch (error) {
      onFault(error)
    }
  }
  const still = grown.length === 0 ? [] : await grownOf(db, grown)
  return grown.filter((name) => !still.includes(name))
}

async function grownOf(db: Db, tables: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${tables}::text[]) as name join pg_class on pg_class.oid = to_regclass(name)
    where pg_relation_size(pg_class.oid) / current_setting('block_size')::int > greatest(relpages * ${GROWN}::float8, ${LEAST_PAGES})
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Fewer rows than these are few, whatever they are. */
const FEW = 100

/**
 * Analyses `finding`, including what this transaction wrote, if its statistics are missing or of few rows: the planner then takes each row for
 * a company of its own, or the table for an empty one, and any index that begins with the company looks as good as the primary key. A
 * rollback undoes the new statistics. Until the transaction ends nobody else can analyse the table, which would not count the rows that this
 * transaction wrote, and make the planner take the table for empty after all. If somebody else is analysing it now, this does nothing. One or
 * two statements.
 */
export async function analyseSmall(trx: Trx): Promise<void> {
  const { rows } = await sql`
    select from pg_class left join pg_stats on schemaname = current_schema() and tablename = relname and attname = 'company_id'
    where pg_class.oid = to_regclass('finding') and (reltuples < ${FEW} or n_distinct is null or n_distinct < 0)`.execute(
    trx,
  )
  if (rows.length > 0) await sql`analyze (skip_locked) finding`.execute(trx)
}
