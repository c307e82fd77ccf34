// What tests check from inside because it is invisible from outside: the service's parts, its log and its tables.

import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { services } from './service.ts'

/** A text that appears nowhere by chance, to be searched for where it must not appear. */
export const canary = () => `canary-${randomBytes(8).toString('hex')}`

/** The parts of the first service, and the logs of all of them. */
export async function inside() {
  const nodes = await services()
  const [service] = nodes
  if (!service) throw new Error('No service was started')
  return { ...service.app.parts, logged: nodes.flatMap(({ logged }) => logged) }
}

/** Runs a statement that makes the rows of a test, however many, without the limit of time that the service gives to one. */
export async function fillWith(statement: RawBuilder<unknown>): Promise<void> {
  const { db } = await inside()
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await statement.execute(trx)
  })
}

/** The number of statements like `text` that wait for a lock. */
export async function waitingStatements(text = '%'): Promise<number> {
  const { db } = await inside()
  const { rows } = await sql`
    select from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database() and query like ${text} and pid <> pg_backend_pid()`.execute(
    db,
  )
  return rows.length
}

/** Every row of every table as text, including those of the job queue. */
export async function dumpTables(): Promise<string> {
  const { db } = await inside()
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')`.execute(db)
  const dumps: string[] = []
  for (const { schema, name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(
      db,
    )
    dumps.push(...rows.map(({ row }) => row))
  }
  return dumps.join('\n')
}
