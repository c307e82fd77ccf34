// The push reader of git and unified diffs: one file at a time, without holding content lines.

import { hunkEnded, scanBody } from './body.ts'
import { cutPiece, type Piece, passNewline } from './line-ends.ts'
import { gather, isEmpty, type LineGatherer, lineGatherer, takeLine, toUtf8 } from './lines.ts'
import { readEnd, readLine } from './read-line.ts'
import { fail, type Reading, startReading } from './reading.ts'
import type { DiffOptions, DiffResult, Packed, PatchFile } from './types.ts'

/** Push chunks of any size, take the completed files, end the reader, take the rest, and ask for the result. See `readPacked`. */
type DiffReader = {
  push(chunk: Uint8Array): void
  end(): void
  take(): Packed<PatchFile>[]
  /** Whether reading has stopped for good, so that further chunks change nothing. */
  stopped(): boolean
  result(): DiffResult
  /** Bytes used by the regions of the file being read. */
  heldBytes(): number
}

export function openDiffReader(options: DiffOptions = {}): DiffReader {
  const reading = startReading(options)
  const lines = lineGatherer(reading.bounds.maxLineBytes)
  let size = 0

  const read = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && reading.stop === null; ) {
      const piece = cutPiece(chunk, at)
      readPiece(reading, lines, piece, size)
      at += piece.size
      size += piece.size
    }
  }

  return {
    push(chunk: Uint8Array): void {
      read(toUtf8(reading.input, chunk))
    },
    end(): void {
      if (reading.input.head !== null) read(reading.input.head)
      if (reading.stop !== null) return
      reading.lineEnd = size
      const rest = takeLine(lines, Buffer.alloc(0))
      if (rest.line.length > 0) {
        reading.line++
        readLine(reading, rest.line, rest.overlong)
      }
      readEnd(reading, size)
    },
    take(): Packed<PatchFile>[] {
      const taken = reading.ready
      reading.ready = []
      return taken
    },
    stopped: () => reading.stop !== null,
    heldBytes: () => reading.body.regions.numbers.byteLength,
    result(): DiffResult {
      const { stop, totals, commit } = reading
      if (stop !== null) return { ...stop, ...totals }
      const found = totals.files > 0 || commit >= 0 || size === 0
      const reason = found ? null : 'The content holds no file of a git or unified diff.'
      return { state: found ? 'PARSED' : 'NOT_A_DIFF', reason, ...totals }
    },
  }
}

/** `before`: the bytes of the input before the piece. */
function readPiece(reading: Reading, lines: LineGatherer, piece: Piece, before: number): void {
  const { bytes, size } = piece
  let at = 0
  while (at < size && reading.stop === null) {
    if (reading.mode === 'UNIFIED') {
      at = readUnified(reading, piece, at)
      continue
    }
    const newline = passNewline(piece)
    if (isEmpty(lines)) {
      reading.lineAt = before + at
      if (reading.mode === 'OUTSIDE' && newline === at) {
        at++
        reading.line++
        continue
      }
    }
    if (newline < 0) {
      gather(lines, bytes.subarray(at, size))
      return
    }
    const taken = takeLine(lines, bytes.subarray(at, newline))
    at = newline + 1
    reading.lineEnd = before + at
    reading.line++
    readLine(reading, taken.line, taken.overlong)
  }
}

/** The position in the piece where the hunk or the piece ends. */
function readUnified(reading: Reading, piece: Piece, from: number): number {
  const { body } = reading
  const at = scanBody(body, piece, from)
  reading.line += body.lines
  body.lines = 0
  if (body.fault === null && hunkEnded(body)) {
    reading.mode = 'HUNKS'
    if (!body.changed) body.fault = 'a hunk changes nothing'
  }
  if (body.fault !== null) {
    reading.line++
    fail(reading, body.fault)
  }
  return at
}
