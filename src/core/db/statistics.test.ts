// When the planner is told of tables that have grown, and that no connection compiles its statements.

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/testkit/own-database.ts'
import { type Db, openDatabase, transaction } from './open.ts'
import { lookAgain } from './statistics.ts'

const database = ownDatabase('statistics')
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
  await sql`drop table if exists finding, occurrence`.execute(db)
  for (const table of ['finding', 'occurrence']) {
    await sql`create table ${sql.table(table)} (company_id bigint, id bigint)`.execute(db)
  }
})

const add = (on: Db, rows: number) =>
  sql`insert into finding select 1, n from generate_series(1, ${rows}) n`.execute(on)

const looked = () => sql`analyze finding`.execute(db)

/** How many rows the planner takes a table for, and how many companies it has by it: -1 where each row passes for one of its own. */
async function believed(): Promise<unknown> {
  const { rows } = await sql`
    select reltuples as "findings", n_distinct as "companies" from pg_class
    left join pg_stats on tablename = relname and attname = 'company_id' where relname = 'finding'`.execute(db)
  return rows[0]
}

test('a table that had one row when it was last looked at is looked at with what the transaction wrote', async () => {
  await add(db, 1)
  await looked()
  const before = await believed()

  await transaction(db, async (trx) => {
    await add(trx, 2000)
    await lookAgain(trx)
  })

  expect(before).toEqual({ findings: 1, companies: -1 })
  expect(await believed()).toEqual({ findings: 2001, companies: 1 })
})

test('a table that was never looked at, or had many rows, is left alone', async () => {
  await transaction(db, lookAgain)
  const never = await believed()
  await add(db, 200)
  await looked()
  await add(db, 2000)
  await transaction(db, lookAgain)

  expect(never).toEqual({ findings: -1, companies: null })
  expect(await believed()).toEqual({ findings: 200, companies: 1 })
})

test('a table that somebody else looks at is waited for by nobody', async () => {
  await add(db, 1)
  await looked()

  await transaction(db, async (first) => {
    await sql`analyze finding`.execute(first)
    await transaction(db, async (second) => {
      await add(second, 2000)
      await lookAgain(second)
    })
  })

  expect(await believed()).toEqual({ findings: 1, companies: -1 })
})

test('statements are not compiled', async () => {
  const { rows } = await sql<{ jit: string }>`show jit`.execute(db)

  expect(rows).toEqual([{ jit: 'off' }])
})
