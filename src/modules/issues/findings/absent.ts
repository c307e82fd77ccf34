// Closes findings that a complete report no longer contains, and updates their issues from the remaining witnesses.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { type Absence, closeFindings, type Gone } from './store-absent.ts'
import { settleWords } from './store-witness-words.ts'
import { mirrorPlaces } from './store-witnesses.ts'

/**
 * As closeFindings. An issue of several findings then takes its places and, while it is open, its weaknesses from the findings that are
 * left; that takes one more statement, or two if the issue stays open.
 */
export async function closeAbsent(trx: Trx, companyId: Id, absence: Absence): Promise<Gone[]> {
  const gone = await closeFindings(trx, companyId, absence)
  const shared = gone.filter(({ isShared }) => isShared)
  const open = shared.filter(({ isFixed }) => !isFixed)
  if (shared.length > 0) await mirrorPlaces(trx, companyId, issuesOf(shared))
  if (open.length > 0) await settleWords(trx, companyId, issuesOf(open))
  return gone
}

const issuesOf = (gone: readonly Gone[]): Id[] => [...new Set(gone.map(({ issueId }) => issueId))]
