// The directory of a backup: only a new or empty one is written to, and one without its manifest is not a backup.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Lacking } from './backup-objects.ts'
import { BackupError, type TableEntry } from './backup-tables.ts'

const FORMAT = 1

const MANIFEST = 'manifest.json'

export type Manifest = {
  format: number
  madeAt: string
  /** the last migration that the data has */
  migration: number
  tables: TableEntry[]
  objects: number
  /** files that rows refer to and that the backup does not have */
  lacking: Lacking[]
  /** whose files they are; null in a backup that was made without them, or before this was written */
  owner: string | null
}

/** The places of a backup's tables and objects. */
export const tablesOf = (directory: string): string => join(directory, 'tables')
export const objectsOf = (directory: string): string => join(directory, 'objects')

/** Makes a directory for a new backup; BackupError if something is in it. */
export async function makeDirectory(target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  const found = await readdir(target)
  if (found.includes(MANIFEST)) throw new BackupError(`${target} has a backup already; choose a new directory`)
  if (isUnfinished(found)) {
    throw new BackupError(
      `${target} has an unfinished backup, which is being made or was interrupted: remove it, or choose another directory`,
    )
  }
  if (found.length > 0) throw new BackupError(`The directory ${target} is not empty`)
  await mkdir(tablesOf(target), { mode: 0o700 })
  await mkdir(objectsOf(target), { mode: 0o700 })
}

const isUnfinished = (found: readonly string[]): boolean => found.includes('tables') && !found.includes(MANIFEST)

/** Removes what a backup that failed has written. */
export async function clearDirectory(target: string): Promise<void> {
  for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true })
}

/** Makes a backup of what was written; until then the directory is none. */
export async function writeManifest(target: string, rest: Omit<Manifest, 'format' | 'madeAt'>): Promise<Manifest> {
  const manifest = { format: FORMAT, madeAt: new Date().toISOString(), ...rest }
  await writeFile(join(target, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  return manifest
}

/** Reads the manifest of a backup; BackupError if there is none, or if it has another format. */
export async function readManifest(source: string): Promise<Manifest> {
  const text = await readFile(join(source, MANIFEST), 'utf8').catch(async () => {
    const found = await readdir(source).catch(() => [])
    throw new BackupError(
      isUnfinished(found)
        ? `${source} holds an unfinished backup, which cannot be restored: it has no ${MANIFEST}, which is written last`
        : `${source} holds no backup: it has no ${MANIFEST}`,
    )
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
  lacking: z.array(z.object({ key: z.string(), companyId: z.string(), filename: z.string() })).default([]),
  owner: z.string().nullable().default(null),
})

function parseManifest(text: string): Manifest | null {
  try {
    return manifestShape.parse(JSON.parse(text))
  } catch {
    return null
  }
}
