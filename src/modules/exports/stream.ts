// Writes a document into a stream from one snapshot of the database, and releases it however the stream ends.

import { Readable } from 'node:stream'
import type { Db, Trx } from '../../core/db/open.ts'

/** The number of characters gathered before they are passed on. */
const BLOCK = 64 * 1024
/** The most milliseconds that a file may take: until it ends, the database cannot vacuum rows that its snapshot sees. */
const LONGEST = 3_600_000
/**
 * How long a reader may keep the stream waiting, in milliseconds: `atOnce` without a pause, replenished by `ofBlock` with each block read,
 * so that 32 KiB a second suffice for a file of any size. Time that writing the file takes is not counted.
 */
const PATIENCE = { atOnce: 30_000, ofBlock: 2_000 }

/**
 * The texts that `write` yields as a stream of bytes, produced no faster than they are read. Rejects if the first one fails. `onEnd` is
 * called when the transaction has ended, even if the stream is destroyed early.
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
  // destroying a stream that nobody has begun to read does not end its generators
  stream.once('close', () => {
    clearTimeout(deadline)
    blocks
      .return(undefined)
      .catch(() => {})
      .finally(onEnd)
  })
  return stream
}

/** The same blocks; calls `end` if they are read too slowly. */
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
