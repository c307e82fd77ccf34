// The planner's figures after a large import: made anew of the tables that have outgrown theirs, and of no others.

import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { services } from '../../../test/testkit/service.ts'
import type { Trx } from '../../core/db/open.ts'
import { analyseGrown } from './analyse.ts'

const database = async () => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  return service.app.parts.db
}

const unforeseen = (error: unknown): never => {
  throw error
}

/** What `work` answers in a transaction that leaves nothing behind, and that no figures are made of beside it. */
async function undone<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
  const trx = await (await database()).startTransaction().execute()
  try {
    return await work(trx)
  } finally {
    await trx.rollback().execute()
  }
}

/** Rows of a company that there is not, enough for the table to be twice what it is known to be. */
async function grow(db: Trx, table: 'import_row' | 'import_seen'): Promise<void> {
  const company = randomInt(2 ** 40)
  const count = sql`(select 30000 + 500 * relpages from pg_class where oid = ${table}::regclass)`
  if (table === 'import_seen') {
    await sql`insert into import_seen (company_id, scope_id, issue_id) select ${company}, 1, generate_series(1, ${count})`.execute(
      db,
    )
  } else {
    await sql`
      insert into import_row (company_id, import_id, number, disposition)
      select ${company}, 1, generate_series(1, ${count}), 'CREATED'`.execute(db)
  }
}

test('a table that has grown much is analysed, the others are not, and neither is it again', async () => {
  const [first, second] = await undone(async (trx) => {
    await sql`analyze deploy_finding`.execute(trx)
    await sql`analyze import_row`.execute(trx)
    await grow(trx, 'import_row')
    return [await analyseGrown(trx, unforeseen), await analyseGrown(trx, unforeseen)]
  })

  expect(first).toContain('import_row')
  expect(first).not.toContain('deploy_finding')
  expect(second).not.toContain('import_row')
})

test('a table of which no figures can be made keeps none of the others from theirs', async () => {
  const faults: unknown[] = []

  const analysed = await undone(async (holder) => {
    await grow(holder, 'import_row')
    await grow(holder, 'import_seen')
    await sql`lock table import_row in share update exclusive mode`.execute(holder)
    return (await database()).connection().execute(async (own) => {
      await sql`set lock_timeout = '100ms'`.execute(own)
      try {
        return await analyseGrown(own, (error) => faults.push(error))
      } finally {
        await sql`reset lock_timeout`.execute(own)
      }
    })
  })

  expect(faults).toHaveLength(1)
  expect(analysed).toContain('import_seen')
})
