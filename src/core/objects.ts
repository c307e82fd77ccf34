// The object store on local disk: files under generated names, written durably, read by range, and swept.

import { randomBytes } from 'node:crypto'
import { close, createReadStream, open as openByCallback, type ReadStream, read as readByCallback } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeDurably } from './durable/file.ts'
import type { Reader } from './durable/way.ts'
import { hasCode } from './error-code.ts'
import { ApplicationError } from './errors.ts'
import { FREE_BESIDE_FILES, freeBytes } from './room.ts'

export type ObjectStore = {
  /**
   * Streams `bytes` to a new object while hashing; PAYLOAD_TOO_LARGE above `limit` bytes, leaving nothing behind. A reader passed along receives
   * all bytes meanwhile.
   */
  put(bytes: AsyncIterable<Uint8Array>, limit: number, reader?: Reader | null): Promise<StoredBytes>
  /**
   * Reads an object, or its bytes from `start` to `end` (inclusive). Reading a missing object fails with UNAVAILABLE; a stream that is never
   * read does not raise an error.
   */
  read(objectKey: string, range?: { start: number; end: number }): ReadStream
  /** Removes an object; during a backup it stays, and is left to the sweep. */
  remove(objectKey: string): Promise<void>
  /** Every object's key. */
  list(): AsyncGenerator<string>
  /** milliseconds of wall-clock time since the object was stored; -Infinity if it does not exist */
  ageOf(objectKey: string): Promise<number>
  /** Removes incomplete files older than `age` milliseconds. */
  removeDrafts(age: number): Promise<void>
}

export type StoredBytes = { objectKey: string; size: number; sha256: Buffer }

const KEY = /^[0-9a-f]{40}$/

/** bytes per read */
const BLOCK = 256 * 1024

/** The path of an object below the store's directory. */
export function objectPath(directory: string, objectKey: string): string {
  if (!KEY.test(objectKey)) throw new Error('Not the key of a stored object')
  return join(directory, objectKey.slice(0, 2), objectKey)
}

/** Opens the store below `directory`, creating it if necessary. */
export async function openObjects(directory: string): Promise<ObjectStore> {
  const incoming = join(directory, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })

  const place = (objectKey: string) => objectPath(directory, objectKey)
  const writing = new Set<string>()

  return {
    async put(bytes, limit, reader = null) {
      const objectKey = randomBytes(20).toString('hex')
      const draft = join(incoming, objectKey)
      writing.add(objectKey)
      try {
        const written = await writeDurably(draft, bytes, { limit, reader, requireRoom: () => requireRoom(incoming) })
        const final = place(objectKey)
        const made = await mkdir(dirname(final), { recursive: true, mode: 0o700 })
        await rename(draft, final)
        await syncDirectory(dirname(final))
        if (made !== undefined) await syncDirectory(directory)
        return { objectKey, ...written }
      } catch (error) {
        await unlink(draft).catch(() => {})
        throw asStoreFailure(error)
      } finally {
        writing.delete(objectKey)
      }
    },
    read(objectKey, range) {
      const stream = createReadStream(place(objectKey), { ...range, highWaterMark: BLOCK, fs: tellingMissing })
      // the file is opened at once, and an error without a listener would end the process; a later reader still receives it
      return stream.on('error', () => {})
    },
    async remove(objectKey) {
      if (!(await isHeld(directory))) await rm(place(objectKey), { force: true })
    },
    async *list() {
      for (const prefix of await readdir(directory)) {
        if (!/^[0-9a-f]{2}$/.test(prefix)) continue
        for (const objectKey of await readdir(join(directory, prefix))) if (KEY.test(objectKey)) yield objectKey
      }
    },
    async ageOf(objectKey) {
      const found = await stat(place(objectKey)).catch(() => null)
      return found ? Date.now() - found.mtimeMs : Number.NEGATIVE_INFINITY
    },
    async removeDrafts(age) {
      for (const name of await readdir(incoming)) {
        if (writing.has(name)) continue
        const found = await stat(join(incoming, name)).catch(() => null)
        if (found && Date.now() - found.mtimeMs >= age) await rm(join(incoming, name), { force: true })
      }
    },
  }
}

type Opened = (error: NodeJS.ErrnoException | null, descriptor: number) => void

const tellingMissing = {
  open: (path: string, flags: string, mode: number, opened: Opened) =>
    openByCallback(path, flags, mode, (error, descriptor) =>
      opened(error?.code === 'ENOENT' ? missingObject(error) : error, descriptor),
    ),
  read: readByCallback,
  close,
}

const missingObject = (cause: unknown) =>
  new ApplicationError('UNAVAILABLE', 'The file is not in MERLON_DATA/objects, which all nodes share', {
    cause,
    retryable: false,
  })

/** UNAVAILABLE if the disk has no room for files. */
async function requireRoom(directory: string): Promise<void> {
  if ((await freeBytes(directory)) < FREE_BESIDE_FILES) throw noRoom()
}

const noRoom = (cause?: unknown) =>
  new ApplicationError('UNAVAILABLE', 'There is no room left to store the file', { cause })

const HOLD = 'held-for-backup'
const HOLD_RENEWED = 30_000
/** Milliseconds after which a hold that is not renewed belongs to a killed backup. */
const HOLD_LASTS = 300_000

/** Keeps every object below `directory` from being removed, in all processes, until the returned function is called. */
export async function holdObjects(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, HOLD)
  await writeFile(file, '', { mode: 0o600 })
  const renewal = setInterval(() => void writeFile(file, '', { mode: 0o600 }).catch(() => {}), HOLD_RENEWED)
  return async () => {
    clearInterval(renewal)
    await rm(file, { force: true })
  }
}

async function isHeld(directory: string): Promise<boolean> {
  const found = await stat(join(directory, HOLD)).catch(() => null)
  return found !== null && Math.abs(Date.now() - found.mtimeMs) < HOLD_LASTS
}

export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function asStoreFailure(error: unknown): unknown {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) {
    return noRoom(error)
  }
  return error
}
