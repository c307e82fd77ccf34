// Scans the lines of hunks by their first byte and records the change regions. This is the hot path: it decodes nothing.

import type { HunkHeader } from './hunk-header.ts'
import { type Piece, passNewline } from './line-ends.ts'
import { addRegion, type Regions } from './regions.ts'

/** The state of reading one file's hunks. Line numbers, from 1, are those of the next line on each side. */
export type Body = {
  regions: Regions
  maxHunks: number
  added: number
  removed: number
  oldNext: number
  newNext: number
  /** First lines of the region being read; `open`: whether there is one. */
  open: boolean
  oldFirst: number
  newFirst: number
  /** Lines that the hunk header announced and that are still to come; in a combined hunk, one count per parent. */
  oldLeft: number
  newLeft: number
  parentsLeft: number[]
  /** For the combined hunk being read: the index of its first region, and its first lines. */
  hunkFrom: number
  hunkOldFirst: number
  hunkNewFirst: number
  /** Whether the hunk has a removed or added line so far; a hunk without any is malformed. */
  changed: boolean
  /** Whether the file's hunks had old lines, or new lines, at all. */
  sawOld: boolean
  sawNew: boolean
  /** Whether the chunk before ended within a content line. */
  midLine: boolean
  /** Line ends that `scanBody` has passed since the caller last collected them. */
  lines: number
  /** What is wrong with the last line, null while nothing is. */
  fault: string | null
}

const NEWLINE = 10
const wrongMark = 'a hunk line starts with neither space, plus, minus nor backslash'
const tooMany = 'a hunk holds more lines than its header says'

/** The state at the start of a file's hunks. `regions` are those of the previous file, whose memory is reused. */
export function emptyBody(maxHunks: number, regions: Regions): Body {
  regions.count = 0
  return {
    regions,
    maxHunks,
    added: 0,
    removed: 0,
    oldNext: 1,
    newNext: 1,
    open: false,
    oldFirst: 1,
    newFirst: 1,
    oldLeft: 0,
    newLeft: 0,
    parentsLeft: [],
    hunkFrom: 0,
    hunkOldFirst: 1,
    hunkNewFirst: 1,
    changed: false,
    sawOld: false,
    sawNew: false,
    midLine: false,
    lines: 0,
    fault: null,
  }
}

/** Starts a unified hunk. The new side's line number is computed from the hunks before, as when applying them. */
export function startHunk(body: Body, header: HunkHeader): void {
  const oldFirst = header.oldLines === 0 ? header.oldStart + 1 : header.oldStart
  const gap = oldFirst - body.oldNext
  if (gap < 0) {
    body.fault = 'a hunk starts before the end of the one above it'
    return
  }
  if (gap > 0) closeRegion(body)
  body.oldNext += gap
  body.newNext += gap
  body.oldLeft = header.oldLines
  body.newLeft = header.newLines
  body.changed = false
  body.sawOld ||= header.oldLines > 0
  body.sawNew ||= header.newLines > 0
}

/** Whether the hunk's last announced line has been read to its end. */
export function hunkEnded(body: Body): boolean {
  return body.oldLeft === 0 && body.newLeft === 0 && !body.midLine
}

/** Ends the region being read, if there is one. */
export function closeRegion(body: Body): void {
  if (!body.open) return
  body.open = false
  pushRegion(body, body.oldFirst, body.oldNext, body.newFirst, body.newNext)
}

/** Records a region from its first lines and the lines after it. */
export function pushRegion(body: Body, oldFirst: number, oldEnd: number, newFirst: number, newEnd: number): void {
  if (body.regions.count >= body.maxHunks) {
    body.fault = `a file has more than ${body.maxHunks} change regions`
    return
  }
  addRegion(body.regions, oldFirst, oldEnd - oldFirst, newFirst, newEnd - newFirst)
}

/**
 * Reads hunk lines of the piece from `from` on, until the hunk or the piece ends or `fault` is set; returns where it stopped. An empty line
 * counts as an empty context line, because mailers strip the space.
 */
export function scanBody(body: Body, piece: Piece, from: number): number {
  const { bytes, size, ends, newlines } = piece
  let at = from
  if (body.midLine) {
    at = passNewline(piece) + 1
    if (at === 0) return size
    body.midLine = false
    body.lines++
  }
  let { next } = piece
  let { oldLeft, newLeft, oldNext, newNext, open, oldFirst, newFirst } = body
  const nextBefore = next
  const oldBefore = oldNext
  const newBefore = newNext
  let context = 0
  while (at < size && (oldLeft > 0 || newLeft > 0)) {
    const mark = bytes[at]
    if (mark === 43 || mark === 45) {
      if (!open) {
        open = true
        oldFirst = oldNext
        newFirst = newNext
      }
      if (mark === 43) {
        newLeft--
        newNext++
      } else {
        oldLeft--
        oldNext++
      }
    } else if (mark === 32 || mark === NEWLINE || mark === 13) {
      if (open) {
        open = false
        pushRegion(body, oldFirst, oldNext, newFirst, newNext)
      }
      context++
      oldLeft--
      newLeft--
      oldNext++
      newNext++
    } else if (mark !== 92) body.fault = wrongMark
    if (oldLeft < 0 || newLeft < 0) body.fault = tooMany
    if (body.fault !== null) break

    if (next === newlines) {
      body.midLine = true
      at = size
      break
    }
    at = (ends[next++] ?? size) + 1
  }
  const removed = oldNext - oldBefore - context
  const added = newNext - newBefore - context
  body.removed += removed
  body.added += added
  body.changed ||= removed > 0 || added > 0
  body.oldLeft = oldLeft
  body.newLeft = newLeft
  body.oldNext = oldNext
  body.newNext = newNext
  body.open = open
  body.oldFirst = oldFirst
  body.newFirst = newFirst
  body.lines += next - nextBefore
  piece.next = next
  return at
}
