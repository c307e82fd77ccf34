// Reads one file's part of a diff into a few numbers for each line, from which hunks with their texts are made on demand.

import { combinedHeader } from '../diff/combined.ts'
import { hunkHeader } from '../diff/hunk-header.ts'
import type { ChangedHunk, ChangedLine, Mark } from './types.ts'

/** Numbers that describe a line: its first byte after the marks, the byte after its end, the mark as a character code, the line number. */
const STRIDE = 4

/** Where a hunk begins among the lines, and what its header says. */
type PatchHunk = { firstLine: number; endLine: number; oldStart: number; newStart: number; heading: string }

export type PatchLines = { numbers: Int32Array; count: number; hunks: PatchHunk[] }

const NEWLINE = 10
const RETURN = 13
const PLUS = 43
const MINUS = 45
const SPACE = 32
const BACKSLASH = 92

type Building = { bytes: Buffer; numbers: Int32Array; count: number }

/** The lines of all hunks, unified or combined; a part that is cut ends with what was read. */
export function readPatch(bytes: Buffer): PatchLines {
  const building = { bytes, numbers: new Int32Array(STRIDE * Math.max(16, bytes.length >> 5)), count: 0 }
  const hunks: PatchHunk[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = lineEnd(bytes, at)
    if (bytes[at] !== 64) {
      at = end + 1
      continue
    }
    const line = bytes.subarray(at, end)
    const unified = hunkHeader(line)
    const combined = unified === null ? combinedHeader(line.toString('latin1', 0, 1024)) : null
    const firstLine = building.count
    if (unified !== null) {
      at = readUnified(building, end + 1, unified)
      hunks.push({ ...unified, firstLine, endLine: building.count, heading: headingOf(line) })
    } else if (combined !== null) {
      at = readCombined(building, end + 1, combined)
      const oldStart = combined.parents[0]?.start ?? 0
      hunks.push({
        oldStart,
        newStart: combined.newStart,
        firstLine,
        endLine: building.count,
        heading: headingOf(line),
      })
    } else at = end + 1
  }
  return { numbers: building.numbers, count: building.count, hunks }
}

type Header = { oldStart: number; oldLines: number; newStart: number; newLines: number }

function readUnified(building: Building, from: number, header: Header): number {
  const { bytes } = building
  let { oldLines: oldLeft, newLines: newLeft } = header
  let oldNext = oldLeft === 0 ? header.oldStart + 1 : header.oldStart
  let newNext = newLeft === 0 ? header.newStart + 1 : header.newStart
  let at = from
  while (at < bytes.length && (oldLeft > 0 || newLeft > 0)) {
    const end = lineEnd(bytes, at)
    const mark = bytes[at] ?? SPACE
    if (mark === PLUS) {
      addLine(building, at + 1, end, PLUS, newNext++)
      newLeft--
    } else if (mark === MINUS) {
      addLine(building, at + 1, end, MINUS, oldNext++)
      oldLeft--
    } else if (mark !== BACKSLASH) {
      addLine(building, Math.min(at + 1, end), end, SPACE, newNext++)
      oldNext++
      oldLeft--
      newLeft--
    }
    at = end + 1
  }
  return at
}

type Combined = NonNullable<ReturnType<typeof combinedHeader>>

/** Reads a combined diff as a change against the first parent: lines that only other parents lost are skipped. */
function readCombined(building: Building, from: number, header: Combined): number {
  const { bytes } = building
  const parents = header.parents.length
  const [first] = header.parents
  const left = header.parents.map(({ lines }) => lines)
  let oldNext = first?.lines === 0 ? first.start + 1 : (first?.start ?? 1)
  let newLeft = header.newLines
  let newNext = header.newLines === 0 ? header.newStart + 1 : header.newStart
  let at = from
  while (at < bytes.length && bytes[at] !== 64 && (newLeft > 0 || left.some((each) => each > 0))) {
    const end = lineEnd(bytes, at)
    const start = Math.min(at + parents, end)
    const marks = bytes.toString('latin1', at, start).padEnd(parents)
    at = end + 1
    if (marks.startsWith('\\')) continue
    const isRemoved = marks.includes('-')
    for (let n = 0; n < parents; n++)
      if (isRemoved === (marks[n] === '-') && marks[n] !== '+') left[n] = (left[n] ?? 0) - 1
    if (!isRemoved) {
      const isAdded = marks.startsWith('+')
      addLine(building, start, end, isAdded ? PLUS : SPACE, newNext++)
      if (!isAdded) oldNext++
      newLeft--
    } else if (marks.startsWith('-')) addLine(building, start, end, MINUS, oldNext++)
  }
  return at
}

function addLine(building: Building, start: number, end: number, mark: number, number: number): void {
  const at = building.count * STRIDE
  if (at + STRIDE > building.numbers.length) {
    const larger = new Int32Array(building.numbers.length * 2)
    larger.set(building.numbers)
    building.numbers = larger
  }
  building.numbers[at] = start
  building.numbers[at + 1] = end > start && building.bytes[end - 1] === RETURN ? end - 1 : end
  building.numbers[at + 2] = mark
  building.numbers[at + 3] = number
  building.count++
}

function lineEnd(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(NEWLINE, from)
  return end < 0 ? bytes.length : end
}

const headingOf = (header: Buffer): string => {
  const text = header.toString('utf8', 0, 1024)
  return /^(@{2,}) .{1,200}? \1 ?(.*)$/.exec(text.trimEnd())?.[2] ?? ''
}

/** First byte of the line's text. */
const startOf = ({ numbers }: PatchLines, line: number): number => numbers[line * STRIDE] ?? 0
/** Byte past the line's text, without its end. */
const endOf = ({ numbers }: PatchLines, line: number): number => numbers[line * STRIDE + 1] ?? 0
export const numberOf = ({ numbers }: PatchLines, line: number): number => numbers[line * STRIDE + 3] ?? 0
export const markOf = ({ numbers }: PatchLines, line: number): Mark => {
  const mark = numbers[line * STRIDE + 2]
  return mark === PLUS ? '+' : mark === MINUS ? '-' : ' '
}

/** The text of a line, at most 64 KiB of it. */
export const textOf = (bytes: Buffer, lines: PatchLines, line: number): string => {
  const start = startOf(lines, line)
  return bytes.toString('utf8', start, Math.min(endOf(lines, line), start + LONGEST_LINE))
}

const LONGEST_LINE = 65_536

/** The line in which a byte of the patch stands; -1 for one outside of hunks. */
export function lineAt(lines: PatchLines, byte: number): number {
  let low = 0
  let high = lines.count - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (startOf(lines, middle) > byte) high = middle - 1
    else if (endOf(lines, middle) < byte) low = middle + 1
    else return middle
  }
  return -1
}

/** The hunks with the texts of their lines. */
export function hunksOf(bytes: Buffer, lines: PatchLines): ChangedHunk[] {
  return lines.hunks.map(({ firstLine, endLine, oldStart, newStart, heading }) => {
    const texts: ChangedLine[] = []
    for (let line = firstLine; line < endLine; line++) {
      texts.push({ mark: markOf(lines, line), number: numberOf(lines, line), text: textOf(bytes, lines, line) })
    }
    return { oldStart, newStart, heading, lines: texts }
  })
}
