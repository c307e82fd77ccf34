// Reads the hunks of combined diffs (`--cc`, `-c`) as a change against the first parent.

import { type Body, closeRegion, pushRegion } from './body.ts'
import { addRegion } from './regions.ts'

/** A combined hunk header, with one old range per parent. */
type CombinedHeader = { parents: { start: number; lines: number }[]; newStart: number; newLines: number }

/** Reads `@@@ -a,b -c,d +e,f @@@`, with one more `@` than there are parents; null for any other line. */
export function combinedHeader(line: string): CombinedHeader | null {
  const parts = /^(@{3,}) ((?:-\d{1,9}(?:,\d{1,9})? )+)\+(\d{1,9})(?:,(\d{1,9}))? \1/.exec(line)
  if (!parts) return null
  const [, marks = '', ranges = '', newStart, newLines = '1'] = parts
  const parents = ranges
    .trim()
    .split(' ')
    .map((range) => {
      const [start, lines = '1'] = range.slice(1).split(',')
      return { start: Number(start), lines: Number(lines) }
    })
  return parents.length === marks.length - 1
    ? { parents, newStart: Number(newStart), newLines: Number(newLines) }
    : null
}

/**
 * Starts a combined hunk. A dense diff (`--cc`) omits hunks that one parent explains. If the header shows that lines were added or removed
 * since the previous hunk, they are placed at the end of that gap, so that later line numbers are right.
 */
export function startCombinedHunk(body: Body, header: CombinedHeader): void {
  const [first] = header.parents
  if (!first) return
  const oldFirst = first.lines === 0 ? first.start + 1 : first.start
  const newFirst = header.newLines === 0 ? header.newStart + 1 : header.newStart
  const oldGap = oldFirst - body.oldNext
  const newGap = newFirst - body.newNext
  if (oldGap < 0 || newGap < 0) {
    body.fault = 'a hunk starts before the end of the one above it'
    return
  }
  const same = Math.min(oldGap, newGap)
  if (same > 0) closeRegion(body)
  body.oldNext += same
  body.newNext += same
  if (oldGap !== newGap && !body.open) {
    body.open = true
    body.oldFirst = body.oldNext
    body.newFirst = body.newNext
  }
  body.oldNext = oldFirst
  body.newNext = newFirst
  body.parentsLeft = header.parents.map((parent) => parent.lines)
  body.newLeft = header.newLines
  body.hunkFrom = body.regions.count
  body.hunkOldFirst = oldFirst
  body.hunkNewFirst = newFirst
  body.sawOld ||= first.lines > 0
  body.sawNew ||= header.newLines > 0
}

/** Whether every count of the combined hunk's header has been met. */
export function combinedHunkEnded(body: Body): boolean {
  return body.newLeft === 0 && body.parentsLeft.every((left) => left === 0)
}

/** Whether the line cannot belong to the hunk: the result is complete, and this is not a further removed line. */
export function followsCombinedHunk(body: Body, line: string): boolean {
  if (body.newLeft > 0) return false
  const marks = line.slice(0, body.parentsLeft.length)
  if (!marks.includes('-') || !/^[- ]*$/.test(marks) || marks.length < body.parentsLeft.length) return true
  return body.parentsLeft.some((left, parent) => marks.charAt(parent) === '-' && left === 0)
}

/**
 * Ends a combined hunk. If a dense diff starts a hunk's context right after an omitted hunk, the header counts removed lines that are not
 * shown: they are recorded as removed at the head of the hunk, and the rest of the hunk is shifted down.
 */
export function endCombinedHunk(body: Body): void {
  const hidden = body.parentsLeft[0] ?? 0
  body.parentsLeft = []
  closeRegion(body)
  if (hidden === 0) return
  body.oldNext += hidden
  const { regions, hunkFrom, hunkOldFirst, hunkNewFirst } = body
  const shifted = Array.from(regions.numbers.subarray(hunkFrom * 4, regions.count * 4))
  const [headOld = Number.POSITIVE_INFINITY, headLines = 0] = shifted
  regions.count = hunkFrom
  if (headOld <= hunkOldFirst) {
    shifted[0] = headOld - hidden
    shifted[1] = headLines + hidden
  } else addRegion(regions, hunkOldFirst, hidden, hunkNewFirst, 0)
  for (let at = 0; at < shifted.length; at += 4) {
    const [oldFirst = 0, oldLines = 0, newFirst = 0, newLines = 0] = shifted.slice(at, at + 4)
    addRegion(regions, oldFirst + hidden, oldLines, newFirst, newLines)
  }
}

/**
 * Reads one line of a combined hunk, with one mark per parent. `-`: that parent has the line, the result has not; `+`: the
 * result has it, that parent has not; a space beside `-`: neither that parent nor the result has it (git-diff(1)).
 */
export function readCombinedLine(body: Body, line: string): void {
  if (line.startsWith('\\')) return
  const marks = line.slice(0, body.parentsLeft.length).padEnd(body.parentsLeft.length, ' ')
  if (!/^[-+ ]+$/.test(marks) || (marks.includes('-') && marks.includes('+'))) {
    body.fault = 'a line of a combined hunk has other marks than space, plus and minus'
    return
  }
  const lost = marks.includes('-')
  for (const [parent, left] of body.parentsLeft.entries()) {
    if (marks.charAt(parent) === (lost ? '-' : ' ')) body.parentsLeft[parent] = left - 1
  }
  if (!lost) body.newLeft--
  if (body.newLeft < 0 || body.parentsLeft.some((left) => left < 0)) {
    body.fault = 'a hunk holds more lines than its header says'
    return
  }
  const first = marks.charAt(0)
  if (first === ' ') {
    if (lost) return
    if (body.open) {
      body.open = false
      pushRegion(body, body.oldFirst, body.oldNext, body.newFirst, body.newNext)
    }
    body.oldNext++
    body.newNext++
    return
  }
  if (!body.open) {
    body.open = true
    body.oldFirst = body.oldNext
    body.newFirst = body.newNext
  }
  if (first === '-') {
    body.oldNext++
    body.removed++
  } else {
    body.newNext++
    body.added++
  }
}
