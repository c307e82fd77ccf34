// Free space on the data disk: when it runs low, uploads are refused first, then changes, so that the database never runs out of it.

import { statfs } from 'node:fs/promises'
import { ApplicationError } from './errors.ts'

/** Bytes of a WAL segment. A database that cannot create its next one stops, and starts again only once there is room. */
const LOG_SEGMENT = 16 * 1024 * 1024

/** Bytes that uploads leave free for the database on the same disk. */
export const FREE_BESIDE_FILES = 2 * LOG_SEGMENT

/** Bytes that changes leave free: the next WAL segment, and what is written until the next measurement. */
const FREE_BESIDE_CHANGES = 1.5 * LOG_SEGMENT

/** Milliseconds for which a measurement with enough room is valid; without enough, every change measures again. */
const MEASURED_FOR = 200

/** Free bytes on the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** Resolves if the disk has room for changes; otherwise UNAVAILABLE. */
export function openRoom(directory: string): () => Promise<void> {
  let hasRoom = false
  let measuredAt = 0
  return async () => {
    if (!hasRoom || performance.now() - measuredAt > MEASURED_FOR) {
      hasRoom = (await freeBytes(directory)) >= FREE_BESIDE_CHANGES
      measuredAt = performance.now()
    }
    if (!hasRoom) throw new ApplicationError('UNAVAILABLE', 'The disk has no room left for changes')
  }
}
