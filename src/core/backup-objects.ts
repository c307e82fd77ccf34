// The objects of a backup: each that a row refers to is copied and checked, and those that cannot be are named instead.

import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { BackupError, countBytes } from './backup-tables.ts'
import { untilItPasses } from './objects/again.ts'
import { MissingObject, type ObjectStore } from './objects/store.ts'

/** A file that a row refers to, and that the backup does not have, because it is missing or is not what was stored. */
export type Lacking = { key: string; companyId: string; filename: string }

type Referred = Lacking & { sha256: string }

/**
 * Copies the objects to the directory `target`, or none if `objects` is null, and resolves to what is lacking. If not one object is there, the rows belong to files in another place: BackupError.
 */
export async function writeObjects(
  client: ClientBase,
  objects: ObjectStore | null,
  target: string,
  signal: AbortSignal,
): Promise<{ copied: number; lacking: Lacking[] }> {
  const { rows } = await client.query<Referred>(
    `select object_key as key, company_id as "companyId", filename, encode(sha256, 'hex') as sha256
     from stored_object order by company_id, id`,
  )
  const lacking: Lacking[] = []
  for (const { sha256, ...row } of rows) {
    signal.throwIfAborted()
    const place = join(target, row.key)
    const isCopied =
      objects !== null && (await untilItPasses(() => copyObject({ objects, key: row.key, sha256, place, signal })))
    if (!isCopied) lacking.push(row)
  }
  const copied = rows.length - lacking.length
  if (objects !== null && copied === 0 && rows.length > 0) {
    throw new BackupError(
      `None of the ${rows.length} stored files is in ${objects.place}: run this where they are, or back up the rows alone with --without-files`,
    )
  }
  return { copied, lacking }
}

type Copying = { objects: ObjectStore; key: string; sha256: string; place: string; signal: AbortSignal }

/** Whether the object could be copied; one that is missing, or has other bytes than were stored, leaves nothing in `place`. */
async function copyObject({ objects, key, sha256, place, signal }: Copying): Promise<boolean> {
  const counting = countBytes()
  try {
    const file = createWriteStream(place, { mode: 0o600, flush: true })
    await pipeline(objects.read(key), counting.stream, file, { signal })
  } catch (error) {
    await rm(place, { force: true })
    if (error instanceof MissingObject) return false
    throw error
  }
  if (counting.result().sha256 === sha256) return true
  await rm(place)
  return false
}
