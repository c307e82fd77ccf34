// Buffers the bytes of a diff from the current file on, so that each file's part is available when it is complete.

import type { Range } from '../diff/types.ts'

export type Window = {
  push(chunk: Buffer): void
  /** The bytes of the range; null if it was larger than the window. */
  take(range: Range): Buffer | null
  /** Forgets what is before the offset. */
  forget(before: number): void
}

/** A window of at most `most` bytes; the oldest are dropped first. */
export function openWindow(most: number): Window {
  let chunks: Buffer[] = []
  let start = 0
  let size = 0

  const drop = () => {
    const [first] = chunks
    if (!first) return
    chunks = chunks.slice(1)
    start += first.length
    size -= first.length
  }

  return {
    push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      while (size > most && chunks.length > 1) drop()
    },
    take(range) {
      if (range.start < start) return null
      const parts: Buffer[] = []
      let at = start
      for (const chunk of chunks) {
        const part = chunk.subarray(Math.max(range.start - at, 0), Math.max(range.end - at, 0))
        if (part.length > 0) parts.push(part)
        at += chunk.length
        if (at >= range.end) break
      }
      return parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts)
    },
    forget(before) {
      while (start + (chunks[0]?.length ?? Number.POSITIVE_INFINITY) <= before) drop()
    },
  }
}
