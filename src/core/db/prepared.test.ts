// Prepared statements: their columns are described once for a connection, and the answers are the same as ever.

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/testkit/own-database.ts'
import { type Db, openDatabase } from './open.ts'
import { runTogether } from './together.ts'

const database = ownDatabase('prepared')
let db: Db

beforeAll(async () => {
  await database.create()
  db = openDatabase({ connection: database.connection(), connections: 1, statementTimeout: 10_000 }).db
})

afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const typed = async (id: string | null) => {
  const { rows } = await sql`
    select ${id}::bigint as id, 1.5::numeric as score, null::text as nothing, array['a', null] as words, ${'x'}::text as id`.execute(
    db,
  )
  return rows
}

test('a statement that is run again answers with the same columns, types and nulls', async () => {
  const first = await typed('7')

  expect(first).toEqual([{ id: 'x', score: 1.5, nothing: null, words: ['a', null] }])
  expect(await typed(null)).toEqual(first)
})

test('of columns with one name the last one counts, also where it is null', async () => {
  const { rows } = await sql`select ${1}::int as n, null::int as n`.execute(db)

  expect(rows).toEqual([{ n: null }])
})

test('a statement tells how many rows it changed, with columns and without, each time', async () => {
  await sql`create table counted (n int)`.execute(db)
  const insert = () => sql`insert into counted select generate_series(1, ${3}::int)`.execute(db)
  const remove = () => sql`delete from counted where n = ${1} returning n`.execute(db)

  expect([await insert(), await insert()].map(({ numAffectedRows }) => numAffectedRows)).toEqual([3n, 3n])
  expect([await remove(), await remove()].map(({ rows }) => rows)).toEqual([[{ n: 1 }, { n: 1 }], []])
})

test('values of each kind arrive as they are', async () => {
  const { rows } = await sql`
    select ${Buffer.from([0, 255])}::bytea as bytes, ${['{"', '\\', null]}::text[] as list, ${true}::boolean as yes,
      ${{ a: [1] }}::jsonb as json, ${'2026-01-31T09:30:00Z'}::timestamptz as at`.execute(db)

  expect(rows).toEqual([
    { bytes: Buffer.from([0, 255]), list: ['{"', '\\', null], yes: true, json: { a: [1] }, at: '2026-01-31T09:30:00Z' },
  ])
})

test('a statement that failed is run again with other values', async () => {
  const divide = (by: number) => sql`select 10 / ${by}::int as part`.execute(db)
  await expect(divide(0)).rejects.toThrow('division by zero')

  expect((await divide(5)).rows).toEqual([{ part: 2 }])
})

test('a statement over a table that got a column meanwhile fails once, and then has that column', async () => {
  await sql`create table grown (a int)`.execute(db)
  const read = async () => (await sql`insert into grown values (${1}) returning *`.execute(db)).rows
  expect(await read()).toEqual([{ a: 1 }])
  await sql`alter table grown add column b int default 2`.execute(db)
  await read().catch(() => {})

  expect(await read()).toEqual([{ a: 1, b: 2 }])
})

test('of statements in one round trip each sees what the ones before did, and the last one answers', async () => {
  await sql`create table stepped (n int)`.execute(db)
  const step = () =>
    runTogether<{ n: number }>(db, [
      sql`insert into stepped values (${1})`,
      sql`select count(*)::int as n from stepped`,
    ])

  expect([await step(), await step()]).toEqual([[{ n: 1 }], [{ n: 2 }]])
})

test('statements in one round trip are done together or not at all', async () => {
  await sql`create table whole (n int primary key)`.execute(db)
  const insert = sql`insert into whole values (${1})`
  await expect(runTogether(db, [insert, insert])).rejects.toThrow('duplicate key')

  expect((await sql`select from whole`.execute(db)).rows).toEqual([])
})
