// The reader of git and unified diffs, fed by hand: one file at a time, content lines never held.

import { hunkEnded, scanBody } from './body.ts'
import { gather, isEmpty, type LineGatherer, lineGatherer, takeLine, toUtf8 } from './lines.ts'
import { readEnd, readLine } from './read-line.ts'
import { fail, type Reading, startReading } from './reading.ts'
import type { DiffOptions, DiffResult, Packed, PatchFile } from './types.ts'

/** Bytes that are made a string at once: few enough for the youngest part of the heap, where it costs next to nothing. */
const PIECE = 32 * 1024
const NEWLINE = 10

/** Push chunks of any size, take the files that ended, end it, take the rest, ask for the result. See `readPacked`. */
export type DiffReader = {
  push(chunk: Uint8Array): void
  end(): void
  take(): Packed<PatchFile>[]
  /** Whether the reading came to where it cannot go on, so that further chunks change nothing. */
  stopped(): boolean
  result(): DiffResult
  /** Bytes that the regions of the file being read take. */
  heldBytes(): number
}

export function openDiffReader(options: DiffOptions = {}): DiffReader {
  const reading = startReading(options)
  const lines = lineGatherer(reading.bounds.maxLineBytes)
  let size = 0

  const read = (piece: Buffer) => {
    readPiece(reading, lines, piece, size)
    size += piece.length
  }

  return {
    push(chunk: Uint8Array): void {
      const bytes = toUtf8(reading.input, chunk)
      for (let at = 0; at < bytes.length && reading.stop === null; at += PIECE) read(bytes.subarray(at, at + PIECE))
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

/** `before`: bytes that came before the piece. */
function readPiece(reading: Reading, lines: LineGatherer, piece: Buffer, before: number): void {
  const text = piece.toString('latin1')
  let at = 0
  while (at < piece.length && reading.stop === null) {
    if (reading.mode === 'UNIFIED') {
      at = readUnified(reading, text, at)
      continue
    }
    if (isEmpty(lines)) {
      reading.lineAt = before + at
      if (reading.mode === 'OUTSIDE' && piece[at] === NEWLINE) {
        at++
        reading.line++
        continue
      }
    }
    const newline = text.indexOf('\n', at)
    if (newline < 0) {
      gather(lines, piece.subarray(at))
      return
    }
    const taken = takeLine(lines, piece.subarray(at, newline))
    at = newline + 1
    reading.lineEnd = before + at
    reading.line++
    readLine(reading, taken.line, taken.overlong)
  }
}

/** Where in the text the hunk ends, or the text. */
function readUnified(reading: Reading, text: string, from: number): number {
  const { body } = reading
  const at = scanBody(body, text, from)
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
