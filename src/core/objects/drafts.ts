// Files on their way into an object store: each is written to the local disk as it arrives, and handed over once it is whole.

import { mkdir, readdir, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../durable/file.ts'
import type { Reader } from '../durable/way.ts'
import { hasCode } from '../error-code.ts'
import { ApplicationError } from '../errors.ts'
import { FREE_BESIDE_FILES, freeBytes } from '../room.ts'
import type { StoredBytes } from './store.ts'

/** A whole file, which `path` names until it has been handed over. */
export type Draft = StoredBytes & { path: string }

type Arriving = { objectKey: string; bytes: AsyncIterable<Uint8Array>; limit: number; reader: Reader | null }

type Drafts = {
  /** Receives a file, hands it over, and forgets it, also if that fails; UNAVAILABLE if the disk has no room. */
  receive(arriving: Arriving, handOver: (draft: Draft) => Promise<void>): Promise<StoredBytes>
  /** Removes the files of ended processes that are older than `age` milliseconds. */
  remove(age: number): Promise<void>
}

/** Keeps drafts in `incoming`, creating it if necessary. */
export async function openDrafts(incoming: string): Promise<Drafts> {
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  const writing = new Set<string>()
  const requireRoom = async () => {
    if ((await freeBytes(incoming)) < FREE_BESIDE_FILES) throw noRoom()
  }
  return {
    async receive({ objectKey, bytes, limit, reader }, handOver) {
      const path = join(incoming, objectKey)
      writing.add(objectKey)
      try {
        const written = await writeDurably(path, bytes, { limit, reader, requireRoom })
        await handOver({ objectKey, ...written, path })
        return { objectKey, ...written }
      } catch (error) {
        throw hasCode(error, 'ENOSPC', 'EDQUOT') ? noRoom(error) : error
      } finally {
        await unlink(path).catch(() => {})
        writing.delete(objectKey)
      }
    },
    async remove(age) {
      for (const name of await readdir(incoming)) {
        if (writing.has(name)) continue
        const found = await stat(join(incoming, name)).catch(() => null)
        if (found && Date.now() - found.mtimeMs >= age) await rm(join(incoming, name), { force: true })
      }
    },
  }
}

const noRoom = (cause?: unknown) =>
  new ApplicationError('UNAVAILABLE', 'There is no room left to store the file', { cause })
