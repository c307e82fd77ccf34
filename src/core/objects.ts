// The object store on local disk: files under names that the server makes, written durably, read by range, swept.

import { createHash, randomBytes } from 'node:crypto'
import { close, createReadStream, open as openByCallback, type ReadStream, read as readByCallback } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, statfs, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from './error-code.ts'
import { ApplicationError, payloadTooLarge } from './errors.ts'

export type ObjectStore = {
  /** Streams `bytes` to a new object while hashing; PAYLOAD_TOO_LARGE above `limit` bytes, leaving nothing behind. */
  put(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBytes>
  /**
   * Reads an object, or its bytes from `start` to `end`, both included. One that is missing fails the reading with UNAVAILABLE, and
   * harms nobody who has not begun to read.
   */
  read(objectKey: string, range?: { start: number; end: number }): ReadStream
  /** Removes an object; while it is held for a backup it stays, and is left to the sweep. */
  remove(objectKey: string): Promise<void>
  /** Every object's key. */
  list(): AsyncGenerator<string>
  /** milliseconds since the object was stored, by the clock; of one that is gone, -Infinity */
  ageOf(objectKey: string): Promise<number>
  /** Removes what was left half written longer than `age` milliseconds ago. */
  removeDrafts(age: number): Promise<void>
}

export type StoredBytes = { objectKey: string; size: number; sha256: Buffer }

const KEY = /^[0-9a-f]{40}$/

/** bytes that are read or written at once */
const BLOCK = 256 * 1024

/** Where an object lies below the store's directory. */
export function objectPath(directory: string, objectKey: string): string {
  if (!KEY.test(objectKey)) throw new Error('Not the key of a stored object')
  return join(directory, objectKey.slice(0, 2), objectKey)
}

/** Opens (and makes) the store below `directory`. */
export async function openObjects(directory: string): Promise<ObjectStore> {
  const incoming = join(directory, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })

  const place = (objectKey: string) => objectPath(directory, objectKey)
  const writing = new Set<string>()

  return {
    async put(bytes, limit) {
      const objectKey = randomBytes(20).toString('hex')
      const draft = join(incoming, objectKey)
      writing.add(objectKey)
      try {
        const written = await writeDurably(draft, inRoom(incoming, bytes), limit)
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
      // it opens at once, and a failure that nobody listens for yet would end the process; who reads later meets it all the same
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

/** bytes that files leave free, so that the database on the same disk can go on: two segments of its log */
const RESERVE = 32 * 1024 * 1024
/** bytes after which the room is looked at again */
const MEASURED_AGAIN = 8 * 1024 * 1024

/** The bytes as they come, for as long as the disk has room beside the reserve; UNAVAILABLE after. */
async function* inRoom(directory: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let unmeasured = MEASURED_AGAIN
  for await (const chunk of bytes) {
    unmeasured += chunk.length
    if (unmeasured >= MEASURED_AGAIN) {
      const { bavail, bsize } = await statfs(directory)
      if (bavail * bsize < RESERVE) throw noRoom()
      unmeasured = 0
    }
    yield chunk
  }
}

const noRoom = (cause?: unknown) =>
  new ApplicationError('UNAVAILABLE', 'There is no room left to store the file', { cause })

const HOLD = 'held-for-backup'
const HOLD_RENEWED = 30_000
/** Milliseconds after which a hold that was not renewed is that of a backup that was killed. */
const HOLD_LASTS = 300_000

/** Keeps every object below `directory` in its place, in all processes, until the function that it answers with is called. */
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

async function writeDurably(file: string, bytes: AsyncIterable<Uint8Array>, limit: number) {
  const hash = createHash('sha256')
  const handle = await open(file, 'wx', 0o600)
  const writer = openBlockWriter(handle, (block) => hash.update(block))
  let size = 0
  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > limit) throw payloadTooLarge(`The file is larger than the ${limit} bytes that are allowed`)
      await writer.write(chunk)
    }
    await writer.end()
    await handle.datasync()
  } finally {
    await writer.settled()
    await handle.close()
  }
  return { size, sha256: hash.digest() }
}

/**
 * Writes what comes in blocks: one is on its way to the disk while the other is filled. Two blocks are all the memory that a file
 * of any size takes here. `onBlock` sees each before it is written.
 */
function openBlockWriter(handle: FileHandle, onBlock: (block: Uint8Array) => void) {
  let filling = Buffer.allocUnsafe(BLOCK)
  let other = Buffer.allocUnsafe(BLOCK)
  let filled = 0
  let onItsWay: Promise<unknown> = Promise.resolve()

  const flush = async () => {
    const block = filling.subarray(0, filled)
    onBlock(block)
    await onItsWay
    onItsWay = writeWhole(handle, block)
    // a failure is met by whoever awaits the block next
    onItsWay.catch(() => {})
    ;[filling, other] = [other, filling]
    filled = 0
  }

  return {
    async write(chunk: Uint8Array): Promise<void> {
      let taken = 0
      while (taken < chunk.length) {
        const part = chunk.subarray(taken, taken + BLOCK - filled)
        filling.set(part, filled)
        filled += part.length
        taken += part.length
        if (filled === BLOCK) await flush()
      }
    },
    async end(): Promise<void> {
      await flush()
      await onItsWay
    },
    settled: () => onItsWay.catch(() => {}),
  }
}

async function writeWhole(handle: FileHandle, block: Buffer): Promise<void> {
  let written = 0
  while (written < block.length) written += (await handle.write(block, written)).bytesWritten
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
