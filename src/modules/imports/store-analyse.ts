// Lets the planner know at once what a large import has written, or is writing, rather than when the database next looks at it by itself.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'

/** The tables that a report is written to. */
const TABLES = [
  'finding',
  'finding_words',
  'occurrence',
  'occurrence_place',
  'issue_event',
  'deploy_finding',
  'import_seen',
  'import_row',
  'words_pack',
] as const

/** Times its known size that a table has, and pages, from which on its figures are too old: what grows slower the database sees to in time. */
const GROWN = 1.5
const LEAST_PAGES = 100

/**
 * Has figures made of the tables that have grown much since theirs were, by a statement each, so that none keeps the others waiting;
 * `onFault` is told of one that failed. Answers with the tables that have new figures.
 */
export async function analyseGrown(db: Db, onFault: (error: unknown) => void): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${TABLES}::text[]) as name join pg_class on pg_class.oid = to_regclass(name)
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

/** Rows below which figures say nothing: of a table with one row each column passes for unique, and any index for as good as its key. */
const FEW_ROWS = 50

/** The tables that are looked up in for each row of a report. */
const LOOKED_UP = ['finding', 'occurrence'] as const

/**
 * Has figures made of the tables that had few rows when theirs were, with what the transaction wrote. A table that somebody else analyses
 * is left to them. One statement, and one for each table that it was.
 */
export async function analyseSmall(trx: Trx): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where oid = any(array[${sql.join(LOOKED_UP)}]::regclass[]) and reltuples between 0 and ${FEW_ROWS}`.execute(trx)
  for (const { name } of rows) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(trx)
}
