// Gathers header lines out of chunks, and brings UTF-16 input, which some shells write, to UTF-8.
import { TextDecoder } from 'node:util'

/** Collects the bytes of one line over several chunks, up to a bound. */
export type LineGatherer = { parts: Buffer[]; size: number; overlong: boolean; max: number }

export function lineGatherer(max: number): LineGatherer {
  return { parts: [], size: 0, overlong: false, max }
}

/** Whether a line starts here. */
export const isEmpty = (lines: LineGatherer): boolean => lines.size === 0 && !lines.overlong

/** Keeps part of a line that has not ended; what goes past the bound is dropped. */
export function gather(lines: LineGatherer, part: Buffer): void {
  const room = lines.max - lines.size
  if (part.length > room) lines.overlong = true
  if (room <= 0 || part.length === 0) return
  // Copied, so that a few bytes do not keep the whole chunk in memory.
  const kept = Buffer.from(part.subarray(0, room))
  lines.parts.push(kept)
  lines.size += kept.length
}

/** The line, completed by its last part, and whether it was cut at the bound. Starts over. */
export function takeLine(lines: LineGatherer, last: Buffer): { line: Buffer; overlong: boolean } {
  if (lines.size === 0 && !lines.overlong && last.length <= lines.max) return { line: last, overlong: false }
  gather(lines, last)
  const taken = { line: Buffer.concat(lines.parts), overlong: lines.overlong }
  lines.parts = []
  lines.size = 0
  lines.overlong = false
  return taken
}

/** The same bytes as Buffers, without a UTF-8 byte order mark, and in UTF-8 where the mark is one of UTF-16. */
export async function* asUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0)
  let decoder: TextDecoder | null = null
  for await (const chunk of bytes) {
    let buffer: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (head !== null) {
      buffer = head.length === 0 ? buffer : Buffer.concat([head, buffer])
      if (buffer.length < 3) {
        head = Buffer.from(buffer)
        continue
      }
      head = null
      const mark = buffer.readUInt16BE(0)
      if (mark === 0xfffe) decoder = new TextDecoder('utf-16le')
      if (mark === 0xfeff) decoder = new TextDecoder('utf-16be')
      if (mark === 0xefbb && buffer[2] === 0xbf) buffer = buffer.subarray(3)
    }
    yield decoder === null ? buffer : Buffer.from(decoder.decode(buffer, { stream: true }))
  }
  if (head !== null && head.length > 0) yield head
}
