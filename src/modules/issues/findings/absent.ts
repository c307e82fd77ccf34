// Closes what a whole report no longer has, and brings the issues of it in line with the witnesses that are left.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { type Absence, closeFindings, type Gone } from './store-absent.ts'
import { settleWords } from './store-witness-words.ts'
import { mirrorPlaces } from './store-witnesses.ts'

/**
 * As closeFindings; an issue of several findings is where those are that are left and, while it is open, names what they name. A statement
 * more for such, two where one stays open.
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
