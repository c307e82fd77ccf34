// Opens the store of an installation's files: in its data directory, or in the bucket that it was given.

import { join } from 'node:path'
import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { openDisk } from './disk.ts'
import type { ObjectStore } from './store.ts'

/** Opens the store; with a bucket, the data directory has only the files that are on their way there. */
export async function openObjects({ data, bucket }: Pick<Config, 'data' | 'bucket'>): Promise<ObjectStore> {
  const directory = join(data, 'objects')
  if (bucket === null) return openDisk(directory)
  // loaded only where it is needed: it takes a tenth of a second
  const { openS3 } = await import('./s3.ts')
  return openS3(bucket, join(directory, 'incoming'))
}

/**
 * Refuses a store that belongs to another installation, whose files would be swept away as files that nothing refers to. `owner` identifies
 * this one.
 */
export async function claimObjects(objects: ObjectStore, owner: string): Promise<void> {
  const owned = await objects.claim(owner).catch((error: Error) => {
    const why = error.cause instanceof Error ? error.cause.message : error.message
    throw new OperatorError(`The files in ${objects.place} cannot be used: ${why}`, { cause: error })
  })
  if (owned !== owner) throw ofAnother(objects)
}

/**
 * Makes way in a store for the files of `owner`'s backup; null stands for a backup that does not know. Refuses one with files of another
 * installation; one without files may change hands.
 */
export async function clearTheWay(objects: ObjectStore, owner: string | null): Promise<void> {
  const owned = await objects.owner()
  if (owned === null || owned === owner) return
  const isEmpty = (await objects.list().next()).done
  if (isEmpty) await objects.disown()
  else if (owner !== null) throw ofAnother(objects)
}

const ofAnother = ({ place }: ObjectStore) =>
  new OperatorError(
    `The files in ${place} belong to another installation; give each its own MERLON_OBJECTS or MERLON_DATA`,
  )
