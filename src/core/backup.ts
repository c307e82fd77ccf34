// A backup is a directory: every table as PostgreSQL's COPY text, every object, and a manifest that says what is in it.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { migrate } from './db/migrate.ts'
import { OperatorError } from './errors.ts'
import { objectPath } from './objects.ts'

const FORMAT = 1

/** Tables that a migration fills; restoring replaces their rows. */
const SCHEMA_TABLE = 'merlon_migration'

type TableEntry = { name: string; columns: string[]; bytes: number; sha256: string }

export type Manifest = {
  format: number
  madeAt: string
  /** the last migration that the data has */
  migration: number
  tables: TableEntry[]
  objects: number
}

/** A backup cannot be made or restored; the message is for the operator. */
export class BackupError extends OperatorError {}

/**
 * Writes all rows, as of one moment, and all objects to `target`, a new or empty directory. The service may run meanwhile. The
 * root key is not part of it.
 */
export async function backUp(
  client: ClientBase,
  objects: string,
  target: string,
  onProgress: (done: number, all: number) => void,
): Promise<Manifest> {
  await mkdir(join(target, 'tables'), { recursive: true, mode: 0o700 })
  await mkdir(join(target, 'objects'), { recursive: true, mode: 0o700 })
  if ((await readdir(target)).length > 2) throw new BackupError(`The directory ${target} is not empty`)
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local statement_timeout = 0')
  const names = await tablesInOrder(client)
  const tables: TableEntry[] = []
  for (const [index, name] of names.entries()) {
    tables.push(await writeTable(client, name, join(target, 'tables', `${name}.copy`)))
    onProgress(index + 1, names.length + 1)
  }
  const keys = await client.query<{ object_key: string }>('select object_key from stored_object')
  for (const { object_key } of keys.rows)
    await copyFile(objectPath(objects, object_key), join(target, 'objects', object_key))
  const versions = await client.query<{ version: number }>(`select max(version) as version from ${SCHEMA_TABLE}`)
  await client.query('commit')
  onProgress(names.length + 1, names.length + 1)
  const manifest = {
    format: FORMAT,
    madeAt: new Date().toISOString(),
    migration: versions.rows[0]?.version ?? 0,
    tables,
    objects: keys.rows.length,
  }
  await writeFile(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  return manifest
}

/**
 * Reads a backup into a database without companies and into `objects`. The database is brought to the backup's migration first and
 * to this program's afterwards. Everything is read in one transaction: it is all there, or nothing is.
 */
export async function restore(
  client: ClientBase,
  objects: string,
  source: string,
  onProgress: (done: number, all: number) => void,
): Promise<Manifest> {
  const manifest = await readManifest(source)
  await migrate(client, manifest.migration)
  await refuseUsed(client)
  await client.query('begin')
  await client.query('set local statement_timeout = 0')
  const names = manifest.tables.map(({ name }) => name)
  await client.query(`truncate ${names.map((name) => client.escapeIdentifier(name)).join(', ')} cascade`)
  for (const [index, table] of manifest.tables.entries()) {
    await readTable(client, table, join(source, 'tables', `${table.name}.copy`))
    onProgress(index + 1, names.length + 1)
  }
  await restartSequences(client)
  for (const objectKey of await readdir(join(source, 'objects'))) {
    const place = objectPath(objects, objectKey)
    await mkdir(join(place, '..'), { recursive: true, mode: 0o700 })
    await copyFile(join(source, 'objects', objectKey), place)
  }
  await client.query('commit')
  await migrate(client)
  onProgress(names.length + 1, names.length + 1)
  return manifest
}

async function readManifest(source: string): Promise<Manifest> {
  const text = await readFile(join(source, 'manifest.json'), 'utf8').catch(() => {
    throw new BackupError(`${source} holds no backup: it has no manifest.json`)
  })
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== FORMAT)
    throw new BackupError(`The backup has format ${manifest.format}; this program reads ${FORMAT}`)
  return manifest
}

async function refuseUsed(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>('select exists (select from company) as used')
  if (rows[0]?.used) throw new BackupError('The database has companies already; restore into a new one')
}

/** Our tables, each after those that its foreign keys refer to. */
async function tablesInOrder(client: ClientBase): Promise<string[]> {
  const tables = await client.query<{ name: string; needs: string[] }>(
    `select c.relname as name, array(select distinct f.confrelid::regclass::text from pg_constraint f
            where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> $1 order by c.relname`,
    [SCHEMA_TABLE],
  )
  const waiting = new Map(tables.rows.map(({ name, needs }) => [name, needs]))
  const order: string[] = []
  while (waiting.size > 0) {
    const ready = [...waiting].filter(([, needs]) => needs.every((need) => !waiting.has(need)))
    if (ready.length === 0)
      throw new BackupError(`Tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    for (const [name] of ready) {
      order.push(name)
      waiting.delete(name)
    }
  }
  return order
}

async function writeTable(client: ClientBase, name: string, file: string): Promise<TableEntry> {
  const columns = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
     and attgenerated = '' order by attnum`,
    [name],
  )
  const names = columns.rows.map((column) => column.name)
  const counting = countBytes()
  const rows = client.query(copyTo(`copy ${listed(client, name, names)} to stdout`))
  await pipeline(rows, counting.stream, createWriteStream(file, { mode: 0o600 }))
  return { name, columns: names, ...counting.result() }
}

async function readTable(client: ClientBase, { name, columns, sha256 }: TableEntry, file: string): Promise<void> {
  const counting = countBytes()
  const rows = client.query(copyFrom(`copy ${listed(client, name, columns)} from stdin`))
  await pipeline(createReadStream(file), counting.stream, rows)
  if (counting.result().sha256 !== sha256)
    throw new BackupError(`The rows of ${name} are not those that were backed up`)
}

const listed = (client: ClientBase, table: string, columns: readonly string[]) =>
  `${client.escapeIdentifier(table)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`

/** Identity columns go on after the greatest id that was restored. */
async function restartSequences(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and a.attidentity <> ''`,
  )
  for (const { table, column } of rows) {
    const [quotedTable, quotedColumn] = [client.escapeIdentifier(table), client.escapeIdentifier(column)]
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(coalesce(max(${quotedColumn}), 0), 1), max(${quotedColumn}) is not null)
       from ${quotedTable}`,
      [quotedTable, column],
    )
  }
}

function countBytes() {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
