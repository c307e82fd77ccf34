// Computes what a deploy does to one finding, by applying the file's line map to the finding's place.

import { carryLine, isReplaced } from '../../diff/line-map.ts'
import type { Hunk } from '../../diff/types.ts'

/** What happened to a finding; no disposition means UNCHANGED. */
export type Disposition = 'MOVED' | 'RENAMED' | 'TOUCHED' | 'REMOVED'

/** The change of the finding's file; `newPath` is null for a deleted file. */
type FileChange = { newPath: string | null; binary: boolean; hunks: readonly Hunk[] }

type Place = { path: string; line: number | null; firstLine: number | null }

type Carried = { disposition: Disposition; place: Place }

/**
 * Carries a finding through the change of its file; null if its place is the same. A line in a region that has new lines is TOUCHED, and
 * moves to the line that replaced it. A line deleted without a replacement is REMOVED, as is everything in a deleted file; its place stays
 * where it last was. A finding without a line is TOUCHED by a binary change only, because line changes say nothing about it.
 */
export function carry(place: Place, file: FileChange): Carried | null {
  const { newPath, hunks } = file
  if (newPath === null) return { disposition: 'REMOVED', place }
  const renamed = newPath !== place.path
  if (file.binary) return { disposition: 'TOUCHED', place: { ...place, path: newPath } }
  if (place.line === null || place.line < 1) {
    return renamed ? { disposition: 'RENAMED', place: { ...place, path: newPath } } : null
  }
  const { state, line } = carryLine(hunks, place.line)
  if (state === 'REMOVED' && !isReplaced(hunks, place.line)) return { disposition: 'REMOVED', place }
  const moved = { path: newPath, line, firstLine: shift(place.firstLine, line - place.line) }
  if (state === 'REMOVED') return { disposition: 'TOUCHED', place: moved }
  if (renamed) return { disposition: 'RENAMED', place: moved }
  return line === place.line ? null : { disposition: 'MOVED', place: moved }
}

/**
 * As carry, if the deploy also copied the file, for example because it was moved and another file took its name: a line that the file
 * itself no longer has moves to the one copy that has it. `file` is the number of the change that moved it.
 */
export function carryAmong(
  place: Place,
  own: Numbered,
  copies: readonly Numbered[],
): (Carried & { file: number }) | null {
  const carried = carry(place, own)
  const isLost = carried !== null && place.line !== null && !isKept(carried)
  const [copy, ...others] = isLost ? copies.map((one) => numbered(carry(place, one), one)).filter(hasTaken) : []
  return copy && others.length === 0 ? copy : numbered(carried, own)
}

type Numbered = FileChange & { number: number }

const numbered = (carried: Carried | null, { number }: Numbered) => carried && { ...carried, file: number }

const isKept = ({ disposition }: Carried): boolean => disposition === 'MOVED' || disposition === 'RENAMED'

const hasTaken = (carried: (Carried & { file: number }) | null): carried is Carried & { file: number } =>
  carried !== null && isKept(carried)

const shift = (line: number | null, by: number): number | null => (line === null ? null : Math.max(line + by, 1))
