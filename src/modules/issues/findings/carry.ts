// Carries a place from the commit of one deploy to the head of its branch, through the line maps of the deploys in between.

import { carryLine, isReplaced } from '../../../diff/line-map.ts'
import type { Hunk } from '../../../diff/types.ts'
import type { Place } from './finding.ts'

/** The start of a walk: a file at the commit of a deploy, and the head of the branch. */
export type CarryStart = { deployId: string; headId: string; path: string }

/** What one deploy did to the followed file: its path afterwards (null: deleted), and its change regions. */
export type CarryStep = { deployId: string; path: string | null; hunks: readonly Hunk[] }

/**
 * Where a place is at the head. `isWhole`: the deploys lead without a gap to the head, or to the deploy that deleted the line or its file
 * without a replacement. In the latter case `isGone` is set, and the place is the last one, as for findings that a deploy carries.
 */
type CarriedPlace = { place: Place; isWhole: boolean; isGone: boolean }

/** `steps`: the deploys after the one that the place is as of, in order; `headId`: the deploy at the head. */
export function carryPlace(place: Place, steps: readonly CarryStep[], headId: string): CarriedPlace {
  let { path, line } = place
  for (const step of steps) {
    const carried = line === null ? null : carryLine(step.hunks, line)
    if (step.path === null || (carried?.state === 'REMOVED' && !isReplaced(step.hunks, line ?? 0))) {
      return { place: { ...place, path, line }, isWhole: true, isGone: true }
    }
    path = step.path
    line = carried?.line ?? null
  }
  return { place: { ...place, path, line }, isWhole: steps.at(-1)?.deployId === headId, isGone: false }
}
