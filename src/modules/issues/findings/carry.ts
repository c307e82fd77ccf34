// Carries a place from the commit of one deploy to the head of its branch, over the line maps of the deploys between.

import { carryLine, isReplaced } from '../../../diff/line-map.ts'
import type { Hunk } from '../../../diff/types.ts'
import type { Place } from './evidence.ts'

/** Where a walk starts: a file at the commit of a deploy, on the way to the head of its branch. */
export type CarryStart = { deployId: string; headId: string; path: string }

/** What one deploy did to the file that a walk follows: its path afterwards (null: deleted), and its change regions. */
export type CarryStep = { deployId: string; path: string | null; hunks: readonly Hunk[] }

/**
 * Where a place is at the head. `isWhole`: the deploys lead there without a gap, or to where the line or its file went
 * without a replacement, which `isGone` says; then the place is where it last was, as it is with what a deploy carries.
 */
export type CarriedPlace = { place: Place; isWhole: boolean; isGone: boolean }

/** `steps`: the deploys after the one that the place is counted at, in order; `headId` the one to arrive at. */
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
