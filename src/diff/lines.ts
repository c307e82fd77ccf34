// Assembles header lines from chunks, and decodes UTF-16 input, which some shells write, to UTF-8.

import { TextDecoder } from 'node:util'

/** Collects the bytes of one line over several chunks, up to a bound. */
export type LineGatherer = { parts: Buffer[]; size: number; overlong: boolean; max: number }

export function lineGatherer(max: number): LineGatherer {
  return { parts: [], size: 0, overlong: false, max }
}

/** Whether a line starts here. */
export const isEmpty = (lines: LineGatherer): boolean => lines.size === 0 && !lines.overlong

/** Keeps part of an unfinished line; anything past the bound is dropped. */
export function gather(lines: LineGatherer, part: Buffer): void {
  const room = lines.max - lines.size
  if (part.length > room) lines.overlong = true
  if (room <= 0 || part.length === 0) return
  // A copy, so that a few bytes do not keep the whole chunk in memory.
  const kept = Buffer.from(part.subarray(0, room))
  lines.parts.push(kept)
  lines.size += kept.length
}

/** The line, completed by its last part, and whether it was cut at the bound. Resets the state. */
export function takeLine(lines: LineGatherer, last: Buffer): { line: Buffer; overlong: boolean } {
  if (lines.size === 0 && !lines.overlong && last.length <= lines.max) return { line: last, overlong: false }
  gather(lines, last)
  const taken = { line: Buffer.concat(lines.parts), overlong: lines.overlong }
  lines.parts = []
  lines.size = 0
  lines.overlong = false
  return taken
}

/** Converts chunks to UTF-8 without a byte order mark. `skipped` is the length of the mark, null if the input is decoded. */
export type Utf8Input = { head: Buffer | null; decoder: TextDecoder | null; skipped: number | null }

export const utf8Input = (): Utf8Input => ({ head: Buffer.alloc(0), decoder: null, skipped: 0 })

/** The converted chunk: empty until the first three bytes have arrived, decoded if the mark is UTF-16's. */
export function toUtf8(input: Utf8Input, chunk: Uint8Array): Buffer {
  let buffer: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  if (input.head !== null) {
    buffer = input.head.length === 0 ? buffer : Buffer.concat([input.head, buffer])
    if (buffer.length < 3) {
      input.head = Buffer.from(buffer)
      return Buffer.alloc(0)
    }
    input.head = null
    const mark = buffer.readUInt16BE(0)
    if (mark === 0xfffe) input.decoder = new TextDecoder('utf-16le')
    if (mark === 0xfeff) input.decoder = new TextDecoder('utf-16be')
    if (input.decoder !== null) input.skipped = null
    if (mark === 0xefbb && buffer[2] === 0xbf) {
      buffer = buffer.subarray(3)
      input.skipped = 3
    }
  }
  return input.decoder === null ? buffer : Buffer.from(input.decoder.decode(buffer, { stream: true }))
}
