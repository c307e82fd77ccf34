// The planner's figures after a large import: made anew of the tables that have outgrown theirs, and of no others.

import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { services } from '../../../test/testkit/service.ts'
import type { Db } from './open.ts'
import { analyseGrown } from './statistics.ts'

const TABLES = ['import_row', 'import_seen'] as const

const database = async () => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  return service.app.parts.db
}

const unforeseen = (error: unknown): never => {
  throw error
}

/** Asks `work` on a connection that takes its tables from a schema of its own first, as large as they are here and no larger. */
async function withTables<T>(names: readonly string[], work: (own: Db, schema: string) => Promise<T>): Promise<T> {
  const schema = `analyse_${randomInt(2 ** 40)}`
  const db = await database()
  await sql`create schema ${sql.id(schema)}`.execute(db)
  try {
    for (const name of names)
      await sql`create table ${sql.id(schema, name)} (number bigint) with (autovacuum_enabled = false)`.execute(db)
    return await db.connection().execute(async (own) => {
      await sql`select set_config('search_path', ${`${schema}, public`}, false)`.execute(own)
      try {
        return await work(own, schema)
      } finally {
        await sql`reset search_path`.execute(own)
      }
    })
  } finally {
    await sql`drop schema ${sql.id(schema)} cascade`.execute(db)
  }
}

/** 30,000 rows, which are more than the hundred pages below which a table is left to the database. */
const grow = (own: Db, name: string) => sql`insert into ${sql.id(name)} select generate_series(1, 30000)`.execute(own)

test('a table that has grown much is analysed, the others are not, and neither is it again', async () => {
  const [first, second] = await withTables(TABLES, async (own) => {
    await grow(own, 'import_row')
    return [await analyseGrown(own, TABLES, unforeseen), await analyseGrown(own, TABLES, unforeseen)]
  })

  expect(first).toContain('import_row')
  expect(first).not.toContain('import_seen')
  expect(second).not.toContain('import_row')
})

test('a table that somebody else analyses is not waited for, and keeps none of the others from their figures', async () => {
  const analysed = await withTables(TABLES, async (own, schema) => {
    await grow(own, 'import_row')
    await grow(own, 'import_seen')
    const holder = await (await database()).startTransaction().execute()
    try {
      await sql`lock table ${sql.id(schema, 'import_row')} in share update exclusive mode`.execute(holder)
      return await analyseGrown(own, TABLES, unforeseen)
    } finally {
      await holder.rollback().execute()
    }
  })

  // others have tables here too, of which one may be held by somebody else
  expect(analysed).not.toContain('import_row')
  expect(analysed).toContain('import_seen')
})
