// Brings a database up to date: numbered SQL files, forward only, each in a transaction, one node at a time.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { ClientBase } from 'pg'
import { OperatorError } from '../errors.ts'

const directory = new URL('./migrations/', import.meta.url)

/** The lock held while migrating: of several nodes that start at once, one migrates and the others wait. */
const MIGRATION_LOCK = 7_203_461_019

type Migration = { version: number; name: string; sql: string; hash: string }

/** The database and this program do not match; the message says which is newer, or which applied file was changed. */
class MigrationError extends OperatorError {}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  const migrations = names.map(async (name) => {
    const sql = await readFile(new URL(name, directory), 'utf8')
    return { version: Number(name.slice(0, 4)), name, sql, hash: createHash('sha256').update(sql).digest('hex') }
  })
  return Promise.all(migrations)
}

/**
 * Applies missing migrations, up to the version `last` if given, and returns their names. Throws MigrationError if the database is newer than
 * this program, or if a file was changed after it was applied.
 */
export async function migrate(client: ClientBase, last = Number.POSITIVE_INFINITY): Promise<string[]> {
  const migrations = await readMigrations()
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  try {
    await client.query(
      'create table if not exists merlon_migration (version int primary key, name text not null, hash text not null, applied_at timestamptz not null default now())',
    )
    const applied = await client.query<{ version: number; name: string; hash: string }>(
      'select version, name, hash from merlon_migration order by version',
    )
    refuseMisfit(migrations, applied.rows)
    if (applied.rows.length === 0) await refuseForeignLetters(client)
    const missing = migrations.slice(applied.rows.length).filter(({ version }) => version <= last)
    for (const migration of missing) await apply(client, migration)
    return missing.map(({ name }) => name)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
  }
}

/** In a database of the locale C, or of another encoding, a search would tell Ärger from ärger, and could not be mended later. */
async function refuseForeignLetters(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ knows: boolean; name: string }>(
    `select current_setting('server_encoding') = 'UTF8' and lower($1) = $2 as knows, current_database() as name`,
    ['ÄI', 'äi'],
  )
  const [database] = rows
  if (database?.knows !== false) return
  throw new MigrationError(
    `The database ${database.name} does not know the small letters of all languages: create it with the encoding UTF8 and a locale such as C.UTF-8 (create database ${database.name} template template0 encoding 'UTF8' locale 'C.UTF-8')`,
  )
}

function refuseMisfit(known: Migration[], applied: { version: number; name: string; hash: string }[]): void {
  for (const [index, row] of applied.entries()) {
    const migration = known[index]
    if (!migration) throw new MigrationError(`The database is newer than this program: it has migration ${row.name}`)
    if (migration.version !== row.version) {
      throw new MigrationError(`The database has migration ${row.name} where this program has ${migration.name}`)
    }
    if (migration.hash !== row.hash) throw new MigrationError(`Migration ${row.name} was changed after it was applied`)
  }
}

async function apply(client: ClientBase, { version, name, sql, hash }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into merlon_migration (version, name, hash) values ($1, $2, $3)', [version, name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new MigrationError(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
}
