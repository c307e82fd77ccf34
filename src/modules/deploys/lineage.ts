// How a deploy follows from those before it, and whether findings may be carried through it.

import type { Id } from '../../core/ids.ts'
import type { DiffState } from '../../diff/types.ts'

export type Lineage = 'FIRST' | 'FOLLOWS' | 'BRANCHES' | 'FORKS' | 'GAP' | 'LATE'

/** After such a deploy the lines of findings seen before it are not known: they are carried again once they were seen. */
export type Break = { deployId: Id; createdAt: string }

/** What the asset's deploys say before a new one is added; a commit is the same where one id begins with the other. */
export type Standing = {
  /** Where the branch stands; null where it has no deploy. */
  head: string | null
  isAtPrevious: boolean
  /** Whether a deploy of the branch comes from or leads to previousCommit. */
  knowsPrevious: boolean
  /** Whether a deploy of the branch comes from currentCommit, or went through it. */
  leftCurrent: boolean
  lastBreak: Break | null
  source: Source | null
}

/**
 * Of other branches that stand at previousCommit, the one deployed last; where none does, of those that stood there. `asOf` is the deploy that
 * led one of these there, null for a branch that stands there.
 */
export type Source = { branch: string; lastBreak: Break | null; asOf: Id | null }

/** The rule of DeployLineage: what the new deploy is to its branch. */
export function lineageOf(standing: Standing): Lineage {
  if (standing.head === null) return standing.source === null ? 'FIRST' : 'BRANCHES'
  if (standing.isAtPrevious) return 'FOLLOWS'
  if (standing.leftCurrent) return 'LATE'
  return standing.knowsPrevious ? 'FORKS' : 'GAP'
}

/** Only a diff that was read to its end, from where the branch stood, tells where every line went. */
export const isCarriable = (lineage: Lineage, state: DiffState): boolean =>
  state === 'PARSED' && (lineage === 'FIRST' || lineage === 'FOLLOWS' || lineage === 'BRANCHES')
