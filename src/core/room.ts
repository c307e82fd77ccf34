// How much room the disk with the data has left: files are refused first, then changes, so that the database never runs out of it.

import { statfs } from 'node:fs/promises'
import { ApplicationError } from './errors.ts'

/** Bytes of a segment of the database's log. A database that cannot begin its next one ends, and starts again only once there is room. */
const LOG_SEGMENT = 16 * 1024 * 1024

/** Bytes that files leave free, so that the database on the same disk can go on. */
export const FREE_BESIDE_FILES = 2 * LOG_SEGMENT

/** Bytes that changes leave free: the next segment of the log, and what is written until the room is measured again. */
const FREE_BESIDE_CHANGES = 1.5 * LOG_SEGMENT

/** Milliseconds for which room that was found counts as there; without room each change measures it. */
const MEASURED_FOR = 200

/** Bytes that are free on the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** Answers while the disk has room for changes; UNAVAILABLE otherwise. */
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
