// The object store in a bucket: files are sent once they are whole, so that the bucket never has a part of one.

import { Readable } from 'node:stream'
import type { Bucket } from '../config.ts'
import { openBucket } from './bucket.ts'
import { type Draft, openDrafts } from './drafts.ts'
import {
  HOLD,
  isHeld,
  isObjectKey,
  MissingObject,
  newObjectKey,
  type ObjectStore,
  OWNER,
  openHold,
  requireObjectKey,
} from './store.ts'

/** The most bytes that one request can store. */
const MOST_BYTES = 5 * 1024 ** 3

const missing = (cause: unknown) => new MissingObject('MERLON_OBJECTS', cause)

/** Opens the store in a bucket that exists; files on their way are kept in `incoming`. */
export async function openS3(place: Bucket, incoming: string): Promise<ObjectStore> {
  const bucket = openBucket(place)
  const drafts = await openDrafts(incoming)
  const owner = async (): Promise<string | null> => (await bucket.text(OWNER))?.trim() ?? null
  const keep = (draft: Draft) => bucket.send(draft.objectKey, draft)

  return {
    place: `s3://${place.name}/${place.prefix}`,
    put: (bytes, limit, reader = null) =>
      drafts.receive({ objectKey: newObjectKey(), bytes, limit: Math.min(limit, MOST_BYTES), reader }, keep),
    putBack(objectKey, bytes) {
      requireObjectKey(objectKey)
      return drafts.receive({ objectKey, bytes, limit: MOST_BYTES, reader: null }, keep)
    },
    read(objectKey, range) {
      requireObjectKey(objectKey)
      const stream = readableOf((signal) => bucket.bytes(objectKey, range, { missing, signal }))
      // an error without a listener would end the process; a later reader still receives it
      return stream.on('error', () => {})
    },
    async remove(objectKey) {
      requireObjectKey(objectKey)
      if (!isHeld(await bucket.changedAt(HOLD))) await bucket.remove(objectKey)
    },
    hold: () =>
      openHold(
        () => bucket.write(HOLD, ''),
        () => bucket.remove(HOLD),
      ),
    async *list() {
      for await (const key of bucket.keys()) if (isObjectKey(key)) yield key
    },
    async ageOf(objectKey) {
      requireObjectKey(objectKey)
      const storedAt = await bucket.changedAt(objectKey)
      return storedAt === null ? Number.NEGATIVE_INFINITY : Date.now() - storedAt
    },
    removeDrafts: drafts.remove,
    owner,
    async claim(claimant) {
      const before = await owner()
      if (before !== null) return before
      await bucket.write(OWNER, `${claimant}\n`, { isNew: true })
      return (await owner()) ?? claimant
    },
    disown: () => bucket.remove(OWNER),
  }
}

/** A stream of bytes, which ends what it asks for as soon as it is destroyed: one made of a generator waits for its answer. */
function readableOf(bytesOf: (signal: AbortSignal) => AsyncGenerator<Uint8Array>): Readable {
  const left = new AbortController()
  const bytes = bytesOf(left.signal)
  const stream = new Readable({
    read: () =>
      void bytes.next().then(
        ({ done, value }) => stream.push(done ? null : value),
        (error: Error) => stream.destroy(error),
      ),
    destroy(error, done) {
      left.abort()
      bytes.return(null).catch(() => {})
      done(error)
    },
  })
  return stream
}
