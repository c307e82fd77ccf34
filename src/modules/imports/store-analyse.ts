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

/**
 * Has figures made of the findings, with what the transaction wrote, where they are of so few rows that each passes for one of a company of its
 * own: any index that begins with the company then looks as good as the key. Figures go with the transaction when it is rolled back; while it goes
 * on nobody else makes any, and where somebody else does it is left to them. One statement, or two.
 */
export async function analyseSmall(trx: Trx): Promise<void> {
  const { rows } = await sql`
    select from pg_stats where schemaname = current_schema() and tablename = 'finding' and attname = 'company_id' and n_distinct < 0`.execute(
    trx,
  )
  if (rows.length > 0) await sql`analyze (skip_locked) finding`.execute(trx)
}
