// Writes a file durably while it arrives, in constant memory.

import { type FileHandle, open } from 'node:fs/promises'
import { payloadTooLarge } from '../errors.ts'
import { noteGarbage } from './garbage.ts'
import { NARROW_BLOCK, openNarrow, part, type Reader } from './way.ts'
import { openWide } from './wide.ts'

/** bytes after which free disk space is checked again */
const MEASURED_AGAIN = 8 * 1024 * 1024

type Writing = {
  /** bytes; PAYLOAD_TOO_LARGE above */
  limit: number
  reader: Reader | null
  /** throws if the disk has no room for more */
  requireRoom: () => Promise<void>
}

type Written = { size: number; sha256: Buffer }

/** Writes a new file. On failure the incomplete file is left in place. */
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

  /** Sends the filled block, and waits until the next one is free. */
  const send = async () => {
    const sending = way.send(turn, filled, sent)
    // the next await of the block reports a failure
    sending.catch(() => {})
    onTheirWay[turn] = sending
    sent += filled
    filled = 0
    turn = (turn + 1) % way.blocks.length
    await onTheirWay[turn]
  }

  /** Switches to the path for large files, if a lane is free, starting with the first filled block. */
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
        // `fill` copies like memcpy; `set` and `copy` take twice as long if the target is shared memory
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
