// The planner's figures while a large import goes in: made anew of tables that had few rows, with what it has written itself.

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/testkit/own-database.ts'
import { type Db, openDatabase, transaction } from './open.ts'
import { analyseGrown, analyseSmall } from './statistics.ts'

const database = ownDatabase('figures')
let db: Db

beforeAll(async () => {
  await database.create()
  db = openDatabase({ connection: database.connection(), connections: 3, statementTimeout: 10_000 }).db
})

afterAll(async () => {
  await db.destroy()
  await database.drop()
})

beforeEach(async () => {
  await sql`drop table if exists finding`.execute(db)
  // nobody but the test makes figures of it
  await sql`create table finding (company_id bigint, id bigint) with (autovacuum_enabled = false)`.execute(db)
})

const add = (on: Db, rows: number) =>
  sql`insert into finding select 1, n from generate_series(1, ${rows}) n`.execute(on)

const analysed = () => sql`analyze finding`.execute(db)

/** How many rows the planner takes a table for, and how many companies it has by it: -1 where each row passes for one of its own. */
async function believed(on = db): Promise<unknown> {
  const { rows } = await sql`
    select reltuples as "findings", n_distinct as "companies" from pg_class
    left join pg_stats on tablename = relname and attname = 'company_id' where relname = 'finding'`.execute(on)
  return rows[0]
}

test('a table that had one row when its figures were made gets new ones with what the transaction wrote', async () => {
  await add(db, 1)
  await analysed()
  const before = await believed()

  await transaction(db, async (trx) => {
    await add(trx, 2000)
    await analyseSmall(trx)
  })

  expect(before).toEqual({ findings: 1, companies: -1 })
  expect(await believed()).toEqual({ findings: 2001, companies: 1 })
})

test('a table with figures of companies that have many rows is left alone', async () => {
  await add(db, 200)
  await analysed()
  await add(db, 2000)
  await transaction(db, analyseSmall)

  expect(await believed()).toEqual({ findings: 200, companies: 1 })
})

test.each([
  ['has no figures', async () => {}],
  ['was analysed while it was empty', analysed],
  [
    'was emptied after it was analysed',
    async () => {
      await add(db, 200)
      await analysed()
      await sql`delete from finding`.execute(db)
      await analysed()
    },
  ],
])(
  'a table that %s gets them with what the transaction wrote, and nobody takes them away while it goes on',
  async (_, prepare) => {
    await prepare()

    const during = await transaction(db, async (trx) => {
      await add(trx, 30_000)
      await analyseSmall(trx)
      await analyseGrown(db, ['finding'], (error) => {
        throw error
      })
      return believed(trx)
    })

    expect(during).toEqual({ findings: 30_000, companies: 1 })
    expect(await believed()).toEqual(during)
  },
)

test('what a transaction learnt is forgotten with it, so that the next one looks again', async () => {
  await add(db, 1)
  await analysed()
  const rolledBack = transaction(db, async (trx) => {
    await add(trx, 2000)
    await analyseSmall(trx)
    throw new Error('It is not to be')
  })
  await expect(rolledBack).rejects.toThrow('It is not to be')

  await transaction(db, async (trx) => {
    await add(trx, 3000)
    await analyseSmall(trx)
  })

  expect(await believed()).toEqual({ findings: 3001, companies: 1 })
})

test('a table that somebody else analyses is not waited for', async () => {
  await add(db, 1)
  await analysed()

  await transaction(db, async (first) => {
    await sql`analyze finding`.execute(first)
    await transaction(db, async (second) => {
      await add(second, 2000)
      await analyseSmall(second)
    })
  })

  expect(await believed()).toEqual({ findings: 1, companies: -1 })
})
