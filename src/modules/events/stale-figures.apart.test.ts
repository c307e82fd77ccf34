// The relay on an installation whose tables were empty, or nearly so, when the planner's figures were made: its plan is kept while they fill.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ownDatabase } from '../../../test/testkit/own-database.ts'
import { migrateDatabase } from '../../app.ts'
import { type Db, openDatabase, transaction } from '../../core/db/open.ts'
import { openLog } from '../../core/log.ts'
import { relaySome } from './store-relay.ts'

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Join Filter'?: string
  Plans?: PlanNode[]
}

/** The work gets a database of the latest version in which nobody else is, and the statements that it was sent. */
async function withDatabase(work: (db: Db, sent: readonly string[]) => Promise<void>): Promise<void> {
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

/** How a step of the relay would be carried out: each table that is read, with its index, and what joins compare row with row. */
async function planOf(db: Db, sent: readonly string[]): Promise<{ reads: string[]; filters: string[] }> {
  const { rows } = await transaction(db, async (trx) => {
    await relaySome(trx)
    const text = sent.findLast((statement) => statement.includes('outbox')) ?? ''
    await sql`set local enable_seqscan = off`.execute(trx)
    const literal = text.replaceAll(/\$\d+/g, '1000')
    return sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`${sql.raw(`explain (format json) ${literal}`)}`.execute(trx)
  })
  const nodes: PlanNode[] = rows.map((row) => row['QUERY PLAN'][0].Plan)
  for (const node of nodes) nodes.push(...(node.Plans ?? []))
  const readsOf = ({ 'Relation Name': table, 'Index Name': index, 'Node Type': type }: PlanNode) =>
    table !== undefined && type !== 'ModifyTable' ? [`${table} by ${index ?? type}`] : []
  const filtersOf = ({ 'Join Filter': filter }: PlanNode) => (filter?.includes('outbox') ? [filter] : [])
  return { reads: nodes.flatMap(readsOf), filters: nodes.flatMap(filtersOf) }
}

async function insertFinding(db: Db): Promise<void> {
  await sql`insert into company (label) values ('One')`.execute(db)
  await sql`insert into asset (company_id, name) values (1, 'first'), (1, 'second')`.execute(db)
  await sql`
    insert into finding (company_id, asset_id, type, tool_name, rule, title, severity, status, birth_key)
    values (1, 1, 'SAST_FINDING', 'tool', 'rule', 'Finding', 'LOW', 'CREATED', sha256('one'))`.execute(db)
}

test.each([
  ['never made', async () => {}],
  ['made of one finding and no event', async (db: Db) => insertFinding(db).then(() => sql`analyze`.execute(db))],
])('each event’s finding is found by its key, and each event by itself, with figures %s', async (_, fill) => {
  await withDatabase(async (db, sent) => {
    await fill(db)
    await sql`delete from outbox`.execute(db)

    const { reads, filters } = await planOf(db, sent)

    const of = (table: string) => new Set(reads.filter((read) => read.startsWith(`${table} by `)))
    expect(of('finding')).toEqual(new Set(['finding by issue_pkey']))
    expect(of('asset')).toEqual(new Set(['asset by asset_pkey']))
    expect(of('outbox')).toContain('outbox by Tid Scan')
    expect(reads.filter((read) => read.endsWith('Seq Scan'))).toEqual([])
    expect(filters).toEqual([])
  })
})
