// Writes a document into a stream within one unchanging view of the database, and lets go of it however the stream ends.

import { Readable } from 'node:stream'
import type { Db, Trx } from '../../core/db/open.ts'

/** Characters that are gathered before they are handed on. */
const BLOCK = 64 * 1024
/** Milliseconds that a file may take: a reader that hardly reads would keep the database from clearing away what is old. */
const LONGEST = 3_600_000

/**
 * The pieces that `write` gives as a stream of bytes, no faster than they are taken. Throws what stands against the first of
 * them. `onEnd` is called when the transaction has ended, also where the stream is destroyed before.
 */
export async function openStream(
  db: Db,
  onEnd: () => void,
  write: (trx: Trx) => AsyncIterable<string>,
): Promise<Readable> {
  const blocks = blocksOf(inOneView(db, write))
  const first = await blocks.next()
  const stream = Readable.from(following(first, blocks), { objectMode: false, highWaterMark: BLOCK })
  const deadline = setTimeout(() => stream.destroy(new Error('An export took too long to be downloaded')), LONGEST)
  deadline.unref()
  // a stream that nobody has begun to read would leave its generators as they are
  stream.once('close', () => {
    clearTimeout(deadline)
    blocks
      .return(undefined)
      .catch(() => {})
      .finally(onEnd)
  })
  return stream
}

async function* following(
  first: IteratorResult<Buffer>,
  blocks: AsyncGenerator<Buffer, undefined>,
): AsyncGenerator<Buffer> {
  if (first.done) return
  yield first.value
  yield* blocks
}

async function* inOneView(db: Db, write: (trx: Trx) => AsyncIterable<string>): AsyncGenerator<string> {
  const trx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    yield* write(trx)
  } finally {
    await trx.rollback().execute()
  }
}

async function* blocksOf(pieces: AsyncIterable<string>): AsyncGenerator<Buffer, undefined> {
  let block = ''
  for await (const piece of pieces) {
    block += piece
    if (block.length < BLOCK) continue
    yield Buffer.from(block)
    block = ''
  }
  if (block !== '') yield Buffer.from(block)
}
