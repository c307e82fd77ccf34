// The relay on an installation whose tables were empty, or nearly so, when the planner's figures were made: its plan is kept while they fill.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { planOf, withDatabase } from '../../../test/testkit/plans.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import { relaySome } from './store-relay.ts'

/** How a step of the relay would be carried out. */
const planOfStep = (db: Db, sent: readonly string[]) =>
  transaction(db, async (trx) => {
    await relaySome(trx)
    const text = sent.findLast((statement) => statement.includes('outbox')) ?? ''
    await sql`set local enable_seqscan = off`.execute(trx)
    return planOf(trx, text)
  })

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

    const { reads, filters } = await planOfStep(db, sent)

    const of = (table: string) => new Set(reads.filter((read) => read.startsWith(`${table} by `)))
    expect(of('finding')).toEqual(new Set(['finding by issue_pkey']))
    expect(of('asset')).toEqual(new Set(['asset by asset_pkey']))
    expect(of('outbox')).toContain('outbox by Tid Scan')
    expect(reads.filter((read) => read.endsWith('Seq Scan'))).toEqual([])
    expect(filters.filter((filter) => filter.includes('outbox'))).toEqual([])
  })
})
