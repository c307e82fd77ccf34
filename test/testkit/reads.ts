// How many rows of tables work reads in the database, whatever plans its statements get.

import { sql } from 'kysely'
import { expect } from 'vitest'
import { type Db, openDatabase } from '../../src/core/db/open.ts'
import { home } from './home.ts'
import { inside } from './inside.ts'

/** Rows that were read one by one or through an index, including those that a condition then ruled out. */
async function rowsRead(db: Db, tables: readonly string[]): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_user_tables
    where relname = any(${tables}::text[])`.execute(db)
  return rows[0]?.read ?? 0
}

/** More than the service has connections: each is idle when one of these comes to it. */
const MANY = 50

/** Has every connection of the service tell what it has read so far, which it would otherwise do at some later time. */
async function tellReads(db: Db): Promise<void> {
  await Promise.all(
    Array.from({ length: MANY }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`.execute(db)),
  )
}

async function connectionsOf(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  return rows.map(({ pid }) => pid)
}

/**
 * The number of rows of the tables that `work` reads through the handle that it is given. Its connections are closed before they are
 * counted, because the database counts the reads of a connection at its end at the latest.
 */
export async function countReads(tables: readonly string[], work: (db: Db) => Promise<void>): Promise<number> {
  const { db } = await inside()
  await tellReads(db)
  const others = new Set(await connectionsOf(db))
  const own = openDatabase({ connection: home().connection, connections: 3, statementTimeout: 60_000 })
  const before = await rowsRead(db, tables)
  try {
    await work(own.db)
  } finally {
    await own.db.destroy()
  }
  await expect.poll(async () => (await connectionsOf(db)).filter((pid) => !others.has(pid))).toEqual([])
  return (await rowsRead(db, tables)) - before
}
