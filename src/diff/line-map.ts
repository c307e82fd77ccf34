// Maps line numbers through a diff by its change regions, and unpacks these.

import { nextRegion, openCursor } from './packed.ts'
import { hunkOf } from './regions.ts'
import type { Hunk } from './types.ts'

/**
 * Where an old line went. KEPT: its new number. REMOVED: the new line in its position, clamped to the lines that replaced it; if nothing
 * replaced it, the line before, or 1 at the head of the file.
 */
type Carried = { state: 'KEPT'; line: number } | { state: 'REMOVED'; line: number }

/** Maps an old line number, from 1, by binary search over the regions of one file. A replaced line is REMOVED. */
export function carryLine(hunks: readonly Hunk[], line: number): Carried {
  const before = lastStartingBy(hunks, line)
  if (before === undefined) return { state: 'KEPT', line }
  const oldEnd = before.oldLines === 0 ? before.oldStart + 1 : before.oldStart + before.oldLines
  const newEnd = before.newLines === 0 ? before.newStart + 1 : before.newStart + before.newLines
  if (line >= oldEnd) return { state: 'KEPT', line: line - oldEnd + newEnd }
  const within = before.newStart + Math.min(line - before.oldStart, Math.max(before.newLines - 1, 0))
  return { state: 'REMOVED', line: Math.max(before.newLines === 0 ? before.newStart : within, 1) }
}

/** Whether an old line, from 1, was replaced by new lines, by binary search; false if it was kept or just deleted. */
export function isReplaced(hunks: readonly Hunk[], line: number): boolean {
  const before = lastStartingBy(hunks, line)
  return before !== undefined && before.newLines > 0 && line < before.oldStart + before.oldLines
}

// A region without old lines is located after its start line, so it affects only the lines that follow.
function lastStartingBy(hunks: readonly Hunk[], line: number): Hunk | undefined {
  let low = 0
  let high = hunks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const hunk = hunks[middle]
    if (hunk === undefined) break
    const first = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart
    if (first <= line) low = middle + 1
    else high = middle
  }
  return hunks[low - 1]
}

/** Unpacks regions, see packed.ts; ignores trailing bytes that are not a whole region. */
export function unpackHunks(packed: Uint8Array): Hunk[] {
  const hunks: Hunk[] = []
  const cursor = openCursor(packed)
  while (nextRegion(cursor)) {
    hunks.push(hunkOf(cursor.oldFirst, cursor.oldLines, cursor.newFirst, cursor.newLines))
  }
  return hunks
}
