// What the planner believes of tables that were all but empty when it last looked at them, and are large a moment later.

import { sql } from 'kysely'
import type { Trx } from './open.ts'

/** Rows below which what was seen says nothing: of a table with one row each column passes for unique, and any index for as good as its key. */
const FEW_ROWS = 50

const TABLES = ['finding', 'occurrence'] as const

/**
 * Looks at the tables of findings again where they had few rows the last time, with what the transaction wrote. A table that somebody else
 * looks at meanwhile is left to them. One statement, and one for each table that it was.
 */
export async function lookAgain(trx: Trx): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select oid::regclass::text as table from pg_class
    where oid = any(array[${sql.join(TABLES)}]::regclass[]) and reltuples between 0 and ${FEW_ROWS}`.execute(trx)
  for (const { table } of rows) await sql`analyze (skip_locked) ${sql.table(table)}`.execute(trx)
}
