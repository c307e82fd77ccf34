// Interprets a line by the reader's state; the lines of unified hunks are read in body.ts.

import { isBinaryPatchCut, readBinaryLine, startBinaryPatch } from './binary.ts'
import {
  combinedHeader,
  combinedHunkEnded,
  endCombinedHunk,
  followsCombinedHunk,
  readCombinedLine,
} from './combined.ts'
import { commitHeader } from './commits.ts'
import { awaitsMore, openHeader, plainHeader, readHeaderLine } from './headers.ts'
import { hunkHeader } from './hunk-header.ts'
import { closeFile, fail, type Mode, openFile, openHunk, type Reading } from './reading.ts'

/** `text` is the line without its carriage return. */
type Reader = (reading: Reading, text: string, raw: Buffer) => void

const AT = 64
const BACKSLASH = 92
const CARRIAGE_RETURN = 13

/** `overlong`: the line was cut at the reader's bound. */
export function readLine(reading: Reading, raw: Buffer, overlong: boolean): void {
  if (reading.mode === 'HUNKS') {
    if (raw[0] === BACKSLASH || openHunk(reading, raw)) return
    closeFile(reading)
  }
  if (reading.stop !== null || (reading.mode === 'OUTSIDE' && !mayMatter(raw[0]))) return
  if (overlong && (reading.mode === 'HEADER' || raw.toString('latin1', 0, 10) === 'diff --git')) {
    fail(reading, `a header line is longer than ${reading.bounds.maxLineBytes} bytes`)
    return
  }
  const end = raw.at(-1) === CARRIAGE_RETURN ? raw.length - 1 : raw.length
  const text = raw.toString('latin1', 0, reading.mode === 'COMBINED' ? Math.min(end, 1024) : end)
  readers[reading.mode](reading, text, raw)
}

/** Closes what is open at the end of the input, `end` bytes from its start. */
export function readEnd(reading: Reading, end: number): void {
  const { mode, body, header, binary } = reading
  if (mode === 'COMBINED' && body.newLeft === 0) endCombinedHunk(body)
  if ((mode === 'UNIFIED' && body.oldLeft > 0) || body.newLeft > 0) fail(reading, 'the input ends within a hunk')
  if (mode === 'BINARY' && isBinaryPatchCut(binary)) fail(reading, 'the input ends within a binary patch')
  if (mode === 'HEADER' && header !== null && awaitsMore(header)) fail(reading, 'the input ends within a file header')
  closeFile(reading, end)
}

const readOutside: Reader = (reading, text, raw) => {
  reading.mode = 'OUTSIDE'
  if (text.startsWith('diff -') || text.startsWith('Index: ')) reading.openedAt = reading.lineAt
  const header = openHeader(text)
  if (header !== null) return openFile(reading, header, reading.lineAt)
  if (text.startsWith('--- ')) {
    reading.mode = 'MINUS'
    reading.minus = text.slice(4)
    reading.minusAt = reading.lineAt
    return
  }
  if (raw[0] === AT && (hunkHeader(raw) ?? combinedHeader(text)) !== null) {
    return fail(reading, 'a hunk has no file header', reading.totals.files > 0 ? 'TRUNCATED' : 'NOT_A_DIFF')
  }
  const found = commitHeader(text, reading.logForm)
  if (found === null) return
  reading.logForm = found.form
  if (found.starts) reading.commit++
  reading.commitId = found.id
}

const readAfterMinus: Reader = (reading, text, raw) => {
  if (!text.startsWith('+++ ')) return readOutside(reading, text, raw)
  reading.plus = text.slice(4)
  reading.mode = 'PLUS'
}

const readAfterPlus: Reader = (reading, text, raw) => {
  if (hunkHeader(raw) === null) return readOutside(reading, text, raw)
  openFile(reading, plainHeader(reading.minus, reading.plus), reading.openedAt ?? reading.minusAt)
  openHunk(reading, raw)
}

const readHeader: Reader = (reading, text, raw) => {
  const { header } = reading
  if (header === null || (header.lines > 0 && openHunk(reading, raw)) || readHeaderLine(header, text)) return
  if (text === 'GIT binary patch') {
    header.binary = true
    reading.mode = 'BINARY'
    reading.binary = startBinaryPatch()
    return
  }
  if (/^(Binary files|Files) (.* )?differ$/s.test(text)) {
    header.binary = true
    closeFile(reading, reading.lineEnd)
    return
  }
  closeFile(reading)
  readOutside(reading, text, raw)
}

const readCombined: Reader = (reading, text, raw) => {
  const { body } = reading
  const follows = followsCombinedHunk(body, text)
  if (!follows) readCombinedLine(body, text)
  if (body.fault !== null) return fail(reading, body.fault)
  if (!follows && !combinedHunkEnded(body)) return
  endCombinedHunk(body)
  reading.mode = 'HUNKS'
  if (follows) readLine(reading, raw, false)
}

const readBinary: Reader = (reading, text, raw) => {
  const isTaken = readBinaryLine(reading.binary, text)
  if (isTaken === true) return
  if (isTaken !== false) return fail(reading, isTaken.fault)
  closeFile(reading)
  readOutside(reading, text, raw)
}

const readers: Record<Mode, Reader> = {
  OUTSIDE: readOutside,
  MINUS: readAfterMinus,
  PLUS: readAfterPlus,
  HEADER: readHeader,
  COMBINED: readCombined,
  BINARY: readBinary,
  HUNKS: () => {},
  UNIFIED: () => {},
}

// The first bytes of lines that are significant outside files: `diff`, `Index:`, `--- `, `@@`, and commit headers.
function mayMatter(first: number | undefined): boolean {
  return first === 100 || first === 45 || first === 64 || first === 99 || first === 70 || first === 35 || first === 73
}
