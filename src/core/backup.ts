// Backup and restore. A backup is a directory: every table in COPY's text format, every object, and a manifest of both.

import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { clearDirectory, type Manifest, makeDirectory, objectsOf, tablesOf, writeManifest } from './backup-directory.ts'
import { writeObjects } from './backup-objects.ts'
import { BackupError, readTable, restartSequences, SCHEMA_TABLE, tablesInOrder, writeTable } from './backup-tables.ts'
import { migrate } from './db/migrate.ts'
import { hasCode } from './error-code.ts'
import { clearTheWay } from './objects/open.ts'
import type { ObjectStore } from './objects/store.ts'

type Course = {
  onProgress: (done: number, all: number) => void
  /** breaks it off, with a BackupError, leaving nothing behind */
  signal: AbortSignal
}

/**
 * Writes a consistent snapshot of all rows, and the objects that they refer to, to `target`, a new or empty directory. The service may be
 * running. Objects that are missing or damaged are named in the manifest; without a store, all are left out. The root key is not included.
 */
export async function backUp(
  client: ClientBase,
  objects: ObjectStore | null,
  target: string,
  course: Course,
): Promise<Manifest> {
  await makeDirectory(target)
  let release: (() => Promise<void>) | undefined
  try {
    release = await objects?.hold()
    return await write(client, objects, target, course)
  } catch (error) {
    await clearDirectory(target)
    throw course.signal.aborted ? new BackupError(`The backup was interrupted; nothing of it is in ${target}`) : error
  } finally {
    await release?.()
  }
}

async function write(
  client: ClientBase,
  objects: ObjectStore | null,
  target: string,
  { onProgress, signal }: Course,
): Promise<Manifest> {
  const owner = (await objects?.owner()) ?? null
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local statement_timeout = 0')
  const names = await tablesInOrder(client)
  const tables: Manifest['tables'] = []
  for (const [index, name] of names.entries()) {
    tables.push(await writeTable(client, name, join(tablesOf(target), `${name}.copy`), signal))
    onProgress(index + 1, names.length + 1)
  }
  const { copied, lacking } = await writeObjects(client, objects, objectsOf(target), signal)
  const versions = await client.query<{ version: number }>(`select max(version) as version from ${SCHEMA_TABLE}`)
  await client.query('commit')
  onProgress(names.length + 1, names.length + 1)
  const migration = versions.rows[0]?.version ?? 0
  return writeManifest(target, { migration, tables, objects: copied, lacking, owner })
}

/**
 * Restores a backup into a database without companies and into `objects`. The database is migrated to the backup's version first, and to
 * this program's afterwards. Everything is read in one transaction and checked against the hashes in the manifest; if anything fails,
 * neither rows nor objects remain.
 */
export async function restore(
  client: ClientBase,
  objects: ObjectStore,
  source: string,
  manifest: Manifest,
  { onProgress, signal }: Course,
): Promise<void> {
  await migrate(client, manifest.migration)
  await refuseMisfit(client, manifest)
  await clearTheWay(objects, manifest.owner)
  const placed: string[] = []
  try {
    await client.query('begin')
    await readTables(client, manifest, source, { onProgress, signal })
    await readObjects({ client, manifest, source, objects, placed, signal })
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    await removeAll(objects, placed)
    throw signal.aborted ? new BackupError('The restore was interrupted; nothing was restored') : error
  }
  await migrate(client)
  onProgress(manifest.tables.length + 1, manifest.tables.length + 1)
}

/** Removes objects, until one cannot be: then the others cannot either, and are left to the next restore or the sweep. */
async function removeAll(objects: ObjectStore, objectKeys: readonly string[]): Promise<void> {
  try {
    for (const objectKey of objectKeys) await objects.remove(objectKey)
  } catch {}
}

async function readTables(
  client: ClientBase,
  { tables }: Manifest,
  source: string,
  { onProgress, signal }: Course,
): Promise<void> {
  await client.query('set local statement_timeout = 0')
  await client.query("set local merlon.restoring = 'on'")
  await client.query(`truncate ${tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')} cascade`)
  for (const [index, table] of tables.entries()) {
    await readTable(client, table, join(tablesOf(source), `${table.name}.copy`), signal)
    onProgress(index + 1, tables.length + 1)
  }
  await restartSequences(client)
}

type Reading = {
  client: ClientBase
  manifest: Manifest
  source: string
  objects: ObjectStore
  placed: string[]
  signal: AbortSignal
}

/** Copies the objects that rows refer to, and checks each against its row; `placed` receives the keys of those that were not there before. */
async function readObjects({ client, manifest, source, objects, placed, signal }: Reading): Promise<void> {
  const { rows } = await client.query<{ key: string; sha256: string }>(
    `select object_key as key, encode(sha256, 'hex') as sha256 from stored_object`,
  )
  if (rows.length !== manifest.objects + manifest.lacking.length)
    throw new BackupError('The objects are not those that were backed up')
  const lacking = new Set(manifest.lacking.map(({ key }) => key))
  for (const { key, sha256 } of rows) {
    if (lacking.has(key)) continue
    signal.throwIfAborted()
    if ((await objects.ageOf(key)) === Number.NEGATIVE_INFINITY) placed.push(key)
    const stored = await objects
      .putBack(key, createReadStream(join(objectsOf(source), key), { signal }))
      .catch((cause: unknown) => {
        throw hasCode(cause, 'ENOENT') ? new BackupError(`The backup lacks the object ${key}`, { cause }) : cause
      })
    if (stored.sha256.toString('hex') !== sha256) throw new BackupError(`The object ${key} is not what was backed up`)
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
