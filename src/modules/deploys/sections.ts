// Finds where each file of a diff begins and ends among its bytes, while another reader takes the same bytes.

/** Byte offsets in the input; `end` is past the last byte. */
export type Range = { start: number; end: number }

/**
 * Hands on the bytes cut so that a line that opens a file stands at the head of a piece and alone in it; and tells, for a
 * file that the reader has just finished, where it stands. Null where no line such as `diff --git` opened it.
 */
export type Sections = { pieces: AsyncGenerator<Uint8Array>; rangeOfFinished: () => Range | null }

const NEWLINE = 10
const marks = ['diff -', 'Index: '].map((mark) => Buffer.from(mark))

/** A line that opens a file is no longer than this, in bytes; a longer one is handed on as it comes. */
const LONGEST_OPENING = 65_536

/** Openings that are looked for: more than a diff that is read may have files, so that text full of them costs no more. */
const MOST_OPENINGS = 250_000

export function sectionsOf(bytes: AsyncIterable<Uint8Array>): Sections {
  let opened: number | null = null
  let openedBefore: number | null = null
  let isOpening = false
  let openings = 0
  let end = 0

  function* cut(buffer: Buffer, beginsLine: boolean): Generator<Buffer> {
    let at = 0
    const boundaries = openings < MOST_OPENINGS ? boundariesIn(buffer, beginsLine) : []
    openings += boundaries.length
    for (const boundary of boundaries) {
      if (boundary > at) yield piece(buffer.subarray(at, boundary), false)
      const newline = buffer.indexOf(NEWLINE, boundary)
      at = newline < 0 ? buffer.length : newline + 1
      yield piece(buffer.subarray(boundary, at), true)
    }
    if (at < buffer.length) yield piece(buffer.subarray(at), false)
  }

  function piece(bytesOfPiece: Buffer, opens: boolean): Buffer {
    if (opens) {
      openedBefore = opened
      opened = end
    }
    isOpening = opens
    end += bytesOfPiece.length
    return bytesOfPiece
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    let kept = Buffer.alloc(0)
    let beginsLine = true
    for await (const chunk of bytes) {
      const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const buffer = kept.length === 0 ? fresh : Buffer.concat([kept, fresh])
      const held = heldFrom(buffer, beginsLine)
      yield* cut(buffer.subarray(0, held), beginsLine)
      if (held > 0) beginsLine = buffer[held - 1] === NEWLINE
      kept = Buffer.from(buffer.subarray(held))
    }
    if (kept.length > 0) yield* cut(kept, beginsLine)
  }

  return {
    pieces: pieces(),
    rangeOfFinished() {
      if (openings >= MOST_OPENINGS) return null
      // A file ends at the line that opens the next, or on text after its last hunk, which is in a piece of its own section.
      if (isOpening) return openedBefore === null || opened === null ? null : { start: openedBefore, end: opened }
      return opened === null ? null : { start: opened, end }
    },
  }
}

/** From where on the buffer holds what may be an opening line that has not come whole. */
function heldFrom(buffer: Buffer, beginsLine: boolean): number {
  const newline = buffer.lastIndexOf(NEWLINE)
  if (newline < 0 && !beginsLine) return buffer.length
  const line = buffer.subarray(newline + 1)
  if (line.length === 0 || line.length > LONGEST_OPENING) return buffer.length
  const mayOpen = marks.some((mark) => mark.subarray(0, line.length).equals(line.subarray(0, mark.length)))
  return mayOpen ? newline + 1 : buffer.length
}

/** Where lines begin that open a file, in order. */
function boundariesIn(buffer: Buffer, beginsLine: boolean): number[] {
  const found: number[] = []
  for (const mark of marks) {
    for (let at = buffer.indexOf(mark); at >= 0; at = buffer.indexOf(mark, at + mark.length)) {
      if (at === 0 ? beginsLine : buffer[at - 1] === NEWLINE) found.push(at)
    }
  }
  return found.sort((left, right) => left - right)
}
