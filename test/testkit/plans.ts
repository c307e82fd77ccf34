// Databases whose planner statistics are missing or outdated, and the plans of statements in them.

import { sql } from 'kysely'
import { migrateDatabase } from '../../src/app.ts'
import { type Db, openDatabase, type Trx } from '../../src/core/db/open.ts'
import { openLog } from '../../src/core/log.ts'
import { ownDatabase } from './own-database.ts'

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Join Filter'?: string
  Plans?: PlanNode[]
}

/** Leaves the figures of all tables to the test: otherwise the database makes them whenever it comes to that. */
const WITHOUT_AUTOVACUUM = `do $$ declare own regclass; begin
  for own in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
    execute format('alter table %s set (autovacuum_enabled = false)', own);
  end loop;
end $$`

/** Gives the work an empty database of the latest version to itself, and the statements sent to it. */
export async function withDatabase(work: (db: Db, sent: readonly string[]) => Promise<void>): Promise<void> {
  const database = ownDatabase('stale')
  await database.create()
  const sent: string[] = []
  const { db } = openDatabase({
    connection: database.connection(),
    connections: 1,
    statementTimeout: 10_000,
    onStatement: (text) => sent.push(text),
  })
  try {
    await migrateDatabase(database.connection(), openLog('silent'))
    await sql.raw(WITHOUT_AUTOVACUUM).execute(db)
    await work(db, sent)
  } finally {
    await db.destroy()
    await database.drop()
  }
}

/**
 * The plan of the statement, with 1000 for each parameter: each table it reads with its index, and the conditions that
 * its loops evaluate row by row.
 */
export async function planOf(trx: Trx, statement: string): Promise<{ reads: string[]; filters: string[] }> {
  const literal = statement.replaceAll(/\$\d+/g, '1000')
  const { rows } = await sql<{
    'QUERY PLAN': [{ Plan: PlanNode }]
  }>`${sql.raw(`explain (format json) ${literal}`)}`.execute(trx)
  const nodes: PlanNode[] = rows.map((row) => row['QUERY PLAN'][0].Plan)
  for (const node of nodes) nodes.push(...(node.Plans ?? []))
  const readsOf = ({ 'Relation Name': table, 'Index Name': index, 'Node Type': type }: PlanNode) =>
    table !== undefined && type !== 'ModifyTable' ? [`${table} by ${index ?? type}`] : []
  const filtersOf = ({ 'Join Filter': filter, 'Node Type': type }: PlanNode) =>
    filter !== undefined && type === 'Nested Loop' ? [filter] : []
  return { reads: nodes.flatMap(readsOf), filters: nodes.flatMap(filtersOf) }
}
