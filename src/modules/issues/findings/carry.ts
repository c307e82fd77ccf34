// Carries a place from the commit of one deploy to the head of its branch, over the line maps of the deploys between.

import { carryLine } from '../../../diff/line-map.ts'
import type { Hunk } from '../../../diff/types.ts'
import type { Place } from './evidence.ts'

/** Where a walk starts: a file at the commit of a deploy, on the way to the head of its branch. */
export type CarryStart = { deployId: string; headId: string; path: string }

/** What one deploy did to the file that a walk follows: its path afterwards (null: deleted), and its change regions. */
export type CarryStep = { deployId: string; path: string | null; hunks: readonly Hunk[] }

/**
 * Where a place is at the head. `isWhole`: the deploys lead there without a gap, or to where the file was deleted.
 * `isTouched`: the line was removed or replaced on the way; then the line is the one that stands where it was.
 */
export type CarriedPlace = { place: Place; isWhole: boolean; isTouched: boolean }

/** `steps`: the deploys after the one that the place is counted at, in order; `headId` the one to arrive at. */
export function carryPlace(place: Place, steps: readonly CarryStep[], headId: string): CarriedPlace {
  let { path, line } = place
  let isTouched = false
  for (const step of steps) {
    if (step.path === null) return { place: { ...place, path, line }, isWhole: true, isTouched: true }
    path = step.path
    if (line === null) continue
    const carried = carryLine(step.hunks, line)
    line = carried.line
    isTouched ||= carried.state === 'REMOVED'
  }
  return { place: { ...place, path, line }, isWhole: steps.at(-1)?.deployId === headId, isTouched }
}
