// How connections are opened, whatever the server and the address say.

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/testkit/own-database.ts'
import { type Db, openDatabase, withSettings } from './open.ts'

const database = ownDatabase('opened')
let db: Db

beforeAll(async () => {
  await database.create()
  const open = () => openDatabase({ connection: database.connection(), connections: 1, statementTimeout: 10_000 }).db
  const first = open()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(first)
  const name = sql.id(rows[0]?.name ?? '')
  await sql`alter database ${name} set jit = on`.execute(first)
  await sql`alter database ${name} set timezone = 'Asia/Tokyo'`.execute(first)
  await first.destroy()
  db = open()
})

afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('connections are in UTC and compile no statements where the database says otherwise', async () => {
  const { rows } = await sql`select current_setting('jit') as jit, current_setting('timezone') as zone`.execute(db)

  expect(rows).toEqual([{ jit: 'off', zone: 'UTC' }])
})

test('options of an address are kept, and ours come after them', () => {
  const { connectionString, options } = withSettings({
    connectionString: 'postgres://a:b@db.example:5433/merlon?sslmode=require&options=-c%20search_path%3Dx',
  })

  expect(connectionString).toBe('postgres://a:b@db.example:5433/merlon?sslmode=require')
  expect(options).toBe('-c search_path=x -c TimeZone=UTC -c DateStyle=ISO -c jit=off')
})

test('an address without options is left as it is', () => {
  const connectionString = 'postgres://a:p%40b@/merlon?host=%2Ftmp'

  expect(withSettings({ connectionString })).toEqual({
    connectionString,
    options: ' -c TimeZone=UTC -c DateStyle=ISO -c jit=off',
  })
})
