// Writes a file as it arrives: hashed, durably, in memory that does not grow with it.

import { type FileHandle, open } from 'node:fs/promises'
import { payloadTooLarge } from '../errors.ts'
import { noteGarbage } from './garbage.ts'
import { NARROW_BLOCK, openNarrow, part, type Reader } from './way.ts'
import { openWide } from './wide.ts'

/** bytes after which the room is looked at again */
const MEASURED_AGAIN = 8 * 1024 * 1024

export type Writing = {
  /** bytes; PAYLOAD_TOO_LARGE above */
  limit: number
  reader: Reader | null
  /** throws where the disk has no room for more */
  requireRoom: () => Promise<void>
}

export type Written = { size: number; sha256: Buffer }

/** Writes a new file. Where it fails the file is left as it is then. */
export async function writeDurably(file: string, bytes: AsyncIterable<Uint8Array>, writing: Writing): Promise<Written> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const written = await writeBlocks(file, handle, bytes, writing)
    await handle.datasync()
    return written
  } finally {
    await handle.close()
  }
}

async function writeBlocks(
  file: string,
  handle: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  { limit, reader, requireRoom }: Writing,
): Promise<Written> {
  let way = openNarrow(handle)
  let isDecided = false
  let isNarrow = true
  let measured = 0
  let size = 0
  let sent = 0
  let turn = 0
  let filled = 0
  const onTheirWay: Promise<void>[] = []

  /** Sends what was filled, and waits until the next block may be. */
  const send = async () => {
    const sending = way.send(turn, filled, sent)
    // a failure is met by whoever awaits the block next
    sending.catch(() => {})
    onTheirWay[turn] = sending
    sent += filled
    filled = 0
    turn = (turn + 1) % way.blocks.length
    await onTheirWay[turn]
  }

  /** Goes over to the way of large files, if that is free, with the first block that was filled. */
  const widen = async () => {
    isDecided = true
    const wide = await openWide(file, handle, reader)
    if (wide === null) return send()
    isNarrow = false
    part(way.blocks, 0, NARROW_BLOCK).copy(part(wide.blocks, 0, NARROW_BLOCK))
    way = wide
  }

  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > limit) throw payloadTooLarge(`The file is larger than the ${limit} bytes that are allowed`)
      if (size >= measured) {
        await requireRoom()
        measured = size + MEASURED_AGAIN
      }
      if (isNarrow) reader?.push(chunk)
      for (let taken = 0; taken < chunk.length; ) {
        const block = way.blocks[turn] as Buffer
        const copied = Math.min(chunk.length - taken, block.length - filled)
        // `fill` copies as memory is copied; `set` and `copy` take twice the time where the target is shared
        block.fill(
          taken === 0 && copied === chunk.length ? chunk : chunk.subarray(taken, taken + copied),
          filled,
          filled + copied,
        )
        taken += copied
        filled += copied
        if (filled === block.length) await (isDecided ? send() : widen())
      }
      noteGarbage(chunk.length)
    }
    if (filled > 0) await send()
    await Promise.all(onTheirWay)
    return { size, sha256: await way.digest() }
  } finally {
    await Promise.allSettled(onTheirWay)
    await way.close()
  }
}
