// What a deploy does to one finding: the file's line map applied to the place where the finding stands.

import { carryLine, isReplaced } from '../../diff/line-map.ts'
import type { Hunk } from '../../diff/types.ts'

/** What became of a finding; UNCHANGED is what is not said here. */
export type Disposition = 'MOVED' | 'RENAMED' | 'TOUCHED' | 'REMOVED'

/** How the file in which the finding stands was changed; `newPath` is null for a deleted file. */
export type FileChange = { newPath: string | null; binary: boolean; hunks: readonly Hunk[] }

export type Place = { path: string; line: number | null; firstLine: number | null }

export type Carried = { disposition: Disposition; place: Place }

/**
 * Carries a finding through the change of its file; null where it is where it was. A line of a region that has new lines
 * is TOUCHED and goes where the diff puts the line that replaced it; a line that went without replacement is REMOVED, as
 * is all of a deleted file, and its place stays where it last was. A finding without a line is touched by a binary change
 * only, because nothing else of a change can be told of it.
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
 * As carry, where the deploy made copies of the file, as of one that went elsewhere and gave its name to another: a line that the file
 * itself no longer has goes with the one copy that has it. `file` is the number of the change that took it along.
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
