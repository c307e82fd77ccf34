// Writes a document into a stream from one snapshot of the database, and releases it however the stream ends.

import { Readable } from 'node:stream'
import type { Db, Trx } from '../../core/db/open.ts'

/** Characters that are gathered before they are handed on. */
const BLOCK = 64 * 1024
/** Milliseconds that a file may take: a slow reader would keep the database from clearing away what is old. */
const LONGEST = 3_600_000
/**
 * Milliseconds for which a reader may keep the file waiting: at once, and more with each block, so that 32 KiB a second are enough
 * however long it is. What the writing of the file takes is not counted.
 */
const PATIENCE = { atOnce: 30_000, ofBlock: 2_000 }

/**
 * The pieces that `write` gives as a stream of bytes, no faster than they are taken. Throws what stands against the first of
 * them. `onEnd` is called when the transaction has ended, also where the stream is destroyed before.
 */
export async function openStream(
  db: Db,
  onEnd: () => void,
  write: (trx: Trx) => AsyncIterable<string>,
  patience = PATIENCE,
): Promise<Readable> {
  const blocks = blocksOf(inOneView(db, write))
  const first = await blocks.next()
  const end = () => stream.destroy(new Error('An export took too long to be downloaded'))
  const paced = taken(following(first, blocks), patience, end)
  const stream = Readable.from(paced, { objectMode: false, highWaterMark: BLOCK })
  const deadline = setTimeout(end, LONGEST)
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

/** The same blocks; calls `end` when they are not taken fast enough. */
async function* taken(
  blocks: AsyncIterable<Buffer>,
  { atOnce, ofBlock }: typeof PATIENCE,
  end: () => void,
): AsyncGenerator<Buffer> {
  let left = atOnce
  for await (const block of blocks) {
    const offered = performance.now()
    const slow = setTimeout(end, left)
    try {
      yield block
    } finally {
      clearTimeout(slow)
    }
    left = Math.min(atOnce, left - (performance.now() - offered) + ofBlock)
  }
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
