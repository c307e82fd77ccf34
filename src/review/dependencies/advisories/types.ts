// An advisory as it is matched: its text, and the package versions that it covers.

import type { ComponentObservation } from '../../../reports/types.ts'
import type { Ecosystem } from '../versions/compare.ts'

/** From `introduced` on ('0': all) up to before `fixed`, or up to and with `lastAffected`, or without an end. */
export type Interval = { introduced: string; fixed: string | null; lastAffected: string | null }

/** What one advisory says of one package: a version is affected within an interval, or where it is listed. */
export type Affected = {
  ecosystem: Ecosystem
  name: string
  intervals: readonly Interval[]
  versions: readonly string[]
}

/** What a finding takes over of an advisory. */
type Said = Pick<
  ComponentObservation,
  'title' | 'description' | 'severity' | 'cvssScore' | 'cvssVector' | 'cweIds' | 'reference'
> & { vulnerabilityIds: readonly string[] }

/** `modified` is ISO 8601. An advisory that was withdrawn affects nothing any more. */
export type Advisory = { id: string; modified: string; isWithdrawn: boolean; said: Said; affected: readonly Affected[] }

/** What is known of one package. */
export type Known = { id: string; said: Said } & Affected
