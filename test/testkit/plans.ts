// A database whose tables the planner knows nothing of, or only how they were, and how it would carry statements out there.

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

/** The work gets a database of the latest version in which nobody else is, and the statements that it was sent. */
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
    await work(db, sent)
  } finally {
    await db.destroy()
    await database.drop()
  }
}

/** How the statement would be carried out, with 1000 for each parameter: each table that is read, with its index, and what loops compare row with row. */
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
