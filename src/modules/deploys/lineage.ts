// Decides how a deploy follows from earlier ones, and whether findings may be carried through it.

import type { Id } from '../../core/ids.ts'
import type { DiffState } from '../../diff/types.ts'

export type Lineage = 'FIRST' | 'FOLLOWS' | 'BRANCHES' | 'FORKS' | 'GAP' | 'LATE'

/** A deploy after which the lines of earlier findings are unknown; they are carried again once they have been reported again. */
export type Break = { deployId: Id; createdAt: string }

/** What the asset's deploys say before a new one is added. Two commit ids are the same if one is a prefix of the other. */
export type Standing = {
  /** the commit at which the branch stands; null without a deploy */
  head: string | null
  isAtPrevious: boolean
  /** whether a deploy of the branch starts or ends at previousCommit */
  knowsPrevious: boolean
  /** whether a deploy of the branch starts at currentCommit, or went through it */
  leftCurrent: boolean
  lastBreak: Break | null
  source: Source | null
}

/**
 * the other branch that stands at previousCommit or, if none does, one that stood there; of several, the one deployed last. `asOf` is the
 * deploy that brought such an earlier branch there; null for a branch that stands there now
 */
export type Source = { branch: string; lastBreak: Break | null; asOf: Id | null }

/** The rule behind DeployLineage: how the new deploy relates to its branch. */
export function lineageOf(standing: Standing): Lineage {
  if (standing.head === null) return standing.source === null ? 'FIRST' : 'BRANCHES'
  if (standing.isAtPrevious) return 'FOLLOWS'
  if (standing.leftCurrent) return 'LATE'
  return standing.knowsPrevious ? 'FORKS' : 'GAP'
}

/** Only a diff that was read completely, and that starts where the branch stood, tells where every line went. */
export const isCarriable = (lineage: Lineage, state: DiffState): boolean =>
  state === 'PARSED' && (lineage === 'FIRST' || lineage === 'FOLLOWS' || lineage === 'BRANCHES')
