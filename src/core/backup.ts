// Backup and restore. A backup is a directory: every table in COPY's text format, every object, and a manifest of both.

import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { z } from 'zod'
import {
  BackupError,
  countBytes,
  readTable,
  restartSequences,
  SCHEMA_TABLE,
  type TableEntry,
  tablesInOrder,
  writeTable,
} from './backup-tables.ts'
import { migrate } from './db/migrate.ts'
import { hasCode } from './error-code.ts'
import { holdObjects, objectPath, syncDirectory } from './objects.ts'

export { BackupError } from './backup-tables.ts'

const FORMAT = 1

type Manifest = {
  format: number
  madeAt: string
  /** the last migration that the data has */
  migration: number
  tables: TableEntry[]
  objects: number
}

/**
 * Writes a consistent snapshot of all rows, and all objects, to `target`, a new or empty directory. The service may be running. The root key
 * is not included.
 */
export async function backUp(
  client: ClientBase,
  objects: string,
  target: string,
  onProgress: (done: number, all: number) => void,
): Promise<Manifest> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  if ((await readdir(target)).length > 0) throw new BackupError(`The directory ${target} is not empty`)
  await mkdir(join(target, 'tables'), { mode: 0o700 })
  await mkdir(join(target, 'objects'), { mode: 0o700 })
  const release = await holdObjects(objects)
  try {
    return await write(client, objects, target, onProgress)
  } catch (error) {
    for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true })
    throw error
  } finally {
    await release()
  }
}

async function write(
  client: ClientBase,
  objects: string,
  target: string,
  onProgress: (done: number, all: number) => void,
): Promise<Manifest> {
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
    await copyFile(objectPath(objects, object_key), join(target, 'objects', object_key)).catch((cause: unknown) => {
      throw hasCode(cause, 'ENOENT')
        ? new BackupError(`The object ${object_key} is not in ${objects}`, { cause })
        : cause
    })
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
  // Written last, so that an interrupted backup is not a valid one.
  await writeFile(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  return manifest
}

/**
 * Restores a backup into a database without companies and into `objects`. The database is migrated to the backup's version first, and to
 * this program's afterwards. Everything is read in one transaction and checked against the hashes in the manifest; if anything fails,
 * neither rows nor objects remain.
 */
export async function restore(
  client: ClientBase,
  objects: string,
  source: string,
  onProgress: (done: number, all: number) => void,
): Promise<Manifest> {
  const manifest = await readManifest(source)
  await migrate(client, manifest.migration)
  await refuseMisfit(client, manifest)
  const placed: string[] = []
  try {
    await client.query('begin')
    await readTables(client, manifest, source, onProgress)
    await readObjects(client, manifest, source, objects, placed)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    for (const place of placed) await rm(place, { force: true })
    throw error
  }
  await migrate(client)
  onProgress(manifest.tables.length + 1, manifest.tables.length + 1)
  return manifest
}

async function readTables(
  client: ClientBase,
  { tables }: Manifest,
  source: string,
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  await client.query('set local statement_timeout = 0')
  await client.query("set local merlon.restoring = 'on'")
  await client.query(`truncate ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} cascade`)
  for (const [index, table] of tables.entries()) {
    await readTable(client, table, join(source, 'tables', `${table.name}.copy`))
    onProgress(index + 1, tables.length + 1)
  }
  await restartSequences(client)
}

/** Copies the objects that rows refer to, and checks each against its row; records every path in `placed` before writing to it. */
async function readObjects(
  client: ClientBase,
  manifest: Manifest,
  source: string,
  objects: string,
  placed: string[],
): Promise<void> {
  const { rows } = await client.query<{ key: string; sha256: string }>(
    `select object_key as key, encode(sha256, 'hex') as sha256 from stored_object`,
  )
  if (rows.length !== manifest.objects) throw new BackupError('The objects are not those that were backed up')
  for (const { key, sha256 } of rows) {
    const place = objectPath(objects, key)
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    placed.push(place)
    const counting = countBytes()
    const written = createWriteStream(place, { mode: 0o600, flush: true })
    await pipeline(createReadStream(join(source, 'objects', key)), counting.stream, written).catch((cause: unknown) => {
      throw hasCode(cause, 'ENOENT') ? new BackupError(`The backup lacks the object ${key}`, { cause }) : cause
    })
    if (counting.result().sha256 !== sha256) throw new BackupError(`The object ${key} is not what was backed up`)
  }
  const written = placed.flatMap((place) => [dirname(place), dirname(dirname(place))])
  for (const directory of new Set(written)) await syncDirectory(directory)
}

/** Reads the manifest of a backup; BackupError if there is none, or if it has another format. */
export async function readManifest(source: string): Promise<Manifest> {
  const text = await readFile(join(source, 'manifest.json'), 'utf8').catch(() => {
    throw new BackupError(`${source} holds no backup: it has no manifest.json`)
  })
  const manifest = parseManifest(text)
  if (manifest === null) throw new BackupError(`The manifest of ${source} cannot be read`)
  if (manifest.format !== FORMAT)
    throw new BackupError(`The backup has format ${manifest.format}; this program reads ${FORMAT}`)
  return manifest
}

const manifestShape = z.object({
  format: z.int(),
  madeAt: z.string(),
  migration: z.int(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), bytes: z.int(), sha256: z.string() })),
  objects: z.int(),
})

function parseManifest(text: string): Manifest | null {
  try {
    return manifestShape.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function refuseMisfit(client: ClientBase, manifest: Manifest): Promise<void> {
  const { rows } = await client.query<{ used: boolean; served: boolean; version: number }>(
    `select exists (select from company) as used, (select max(version) from ${SCHEMA_TABLE}) as version,
            exists (select from pg_stat_activity where datname = current_database() and application_name = 'merlon') as served`,
  )
  const { used, served, version } = rows[0] ?? {}
  if (used) throw new BackupError('The database has companies already; restore into a new one')
  if (served) throw new BackupError('A service runs on this installation; stop it first')
  if (version !== manifest.migration) {
    throw new BackupError(`The backup has migration ${manifest.migration}, and this program knows ${version} only`)
  }
}
