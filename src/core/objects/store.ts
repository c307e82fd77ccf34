// What every object store does, wherever it keeps its objects: files under generated names, read by range, and swept.

import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Reader } from '../durable/way.ts'
import { ApplicationError } from '../errors.ts'

export type ObjectStore = {
  /** where the objects are, for people */
  place: string
  /**
   * Streams `bytes` to a new object while hashing; PAYLOAD_TOO_LARGE above `limit` bytes, leaving nothing behind. A reader passed along receives
   * all bytes meanwhile.
   */
  put(bytes: AsyncIterable<Uint8Array>, limit: number, reader?: Reader | null): Promise<StoredBytes>
  /** As `put`, under a key that the object had elsewhere; replaces an object that is there. */
  putBack(objectKey: string, bytes: AsyncIterable<Uint8Array>): Promise<StoredBytes>
  /**
   * Reads an object, or its bytes from `start` to `end` (inclusive). Reading a missing object fails with UNAVAILABLE; a stream that is never
   * read does not raise an error.
   */
  read(objectKey: string, range?: { start: number; end: number }): Readable
  /** Removes an object; while the store is held it stays, and is left to the sweep. */
  remove(objectKey: string): Promise<void>
  /** Keeps every object from being removed, in all processes, until the returned function is called. */
  hold(): Promise<() => Promise<void>>
  /** Every object's key. */
  list(): AsyncGenerator<string>
  /** milliseconds of wall-clock time since the object was stored; -Infinity if it does not exist */
  ageOf(objectKey: string): Promise<number>
  /** Removes incomplete files older than `age` milliseconds. */
  removeDrafts(age: number): Promise<void>
  /** Whose store it is; null if it has no owner yet. */
  owner(): Promise<string | null>
  /** Makes `owner` the owner of a store that has none; returns who owns it. */
  claim(owner: string): Promise<string>
  /** Takes the store from its owner, whose service no longer starts on it. */
  disown(): Promise<void>
}

export type StoredBytes = { objectKey: string; size: number; sha256: Buffer }

const KEY = /^[0-9a-f]{40}$/

export const newObjectKey = (): string => randomBytes(20).toString('hex')

export const isObjectKey = (name: string): boolean => KEY.test(name)

/** Throws unless the key is one that a store generated. */
export function requireObjectKey(objectKey: string): void {
  if (!isObjectKey(objectKey)) throw new Error('Not the key of a stored object')
}

/** Names beside the objects: the file that holds the store, and the one that says whose it is. */
export const HOLD = 'held-for-backup'
export const OWNER = 'owner'

/** Milliseconds after which whoever holds the store says so again, and those after which a hold belongs to a killed process. */
const HOLD_RENEWED = 30_000
const HOLD_LASTS = 300_000

/** Whether a store whose file HOLD was last written then, in milliseconds of wall-clock time, is held; null if there is none. */
export const isHeld = (writtenAt: number | null): boolean =>
  writtenAt !== null && Math.abs(Date.now() - writtenAt) < HOLD_LASTS

/** Holds a store: `write` writes the file HOLD, and `clear` removes it; one that cannot be removed ends by itself. */
export async function openHold(
  write: () => Promise<unknown>,
  clear: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  await write()
  const renewal = setInterval(() => void write().catch(() => {}), HOLD_RENEWED)
  return async () => {
    clearInterval(renewal)
    await clear().catch(() => {})
  }
}

/** The store is there, and lacks the object. */
export class MissingObject extends ApplicationError {
  constructor(place: string, cause: unknown) {
    super('UNAVAILABLE', `The file is not in ${place}, which all nodes share`, { cause, retryable: false })
  }
}
