// How a file's blocks reach the disk, and the path for every file that is not large.

import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { InThread } from './threaded.ts'

/** Blocks are filled one after the other; each is sent while the next is being filled. */
export type Way = {
  blocks: readonly Buffer[]
  /** Hashes and writes the first `length` bytes of a block, which must not change until that is done. */
  send(block: number, length: number, position: number): Promise<void>
  /** the SHA-256 of everything that was sent */
  digest(): Promise<Buffer>
  /** Resolves once nothing is in flight. */
  close(): Promise<void>
}

/** Reads a file while it arrives: receives every chunk, until the file turns out to be large and is read again in the thread. */
export type Reader = { push(chunk: Uint8Array): void; inThread(): InThread }

export const NARROW_BLOCK = 256 * 1024

/** Two blocks, hashed in this thread: all the memory that a file of any size needs. */
export function openNarrow(handle: FileHandle): Way {
  const hash = createHash('sha256')
  const blocks = [Buffer.allocUnsafe(NARROW_BLOCK), Buffer.allocUnsafe(NARROW_BLOCK)]
  return {
    blocks,
    async send(block, length, position) {
      const bytes = part(blocks, block, length)
      hash.update(bytes)
      await writeWhole(handle, bytes, position)
    },
    digest: async () => hash.digest(),
    close: async () => {},
  }
}

export function part(blocks: readonly Buffer[], block: number, length: number): Buffer {
  const bytes = blocks[block]
  if (!bytes) throw new Error('There is no such block')
  return bytes.length === length ? bytes : bytes.subarray(0, length)
}

export async function writeWhole(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten
  }
}
