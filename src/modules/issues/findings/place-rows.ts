// The stored places of findings as a replay reads them, and the buckets in which they are compared.

import type { Evidence } from './evidence.ts'
import type { IdentityField } from './finding.ts'

/** A stored place of a finding; without `observed`, a deploy carried the finding there. Rows of one report share `at`. */
export type PlaceRow = {
  findingId: string
  issueId: string
  type: string
  branch: string
  at: string
  path: string | null
  line: number | null
  observed: Evidence | null
  /** when the finding was last reported on the branch */
  lastSeenAt: string
  /** that it came with a whole report, which also had what stayed where it was */
  isWhole: boolean
  /** that deploys say where lines are that were there before */
  isMapped: boolean
  /** that the finding is open on the branch now */
  isOpen: boolean
  /** the report that had it, if all of that report's rows are here */
  report?: Listed
  /** what that report said of the finding: equal if it was word for word what another one said */
  words?: string
}

/** A whole report of which it is stored what it had. */
export type Listed = {
  at: string
  branch: string
  commit: string | null
  scanId: string | null
  /** that deploys say where lines are that were there before */
  isMapped: boolean
  /** that it closed what it no longer had */
  closes: boolean
  /** the findings that it closed */
  closed: readonly string[]
}

/** Names the bucket in which a finding is compared under a rule. */
export const bucketsBy =
  (counts: readonly IdentityField[]) =>
  ({ type }: Pick<PlaceRow, 'type'>, { rule, title }: Evidence): string =>
    `${type} ${counts.includes('RULE') ? `rule ${rule}` : `title ${title}`}`
