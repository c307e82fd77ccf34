// Closes what a whole report no longer has, with what their issues then name no more.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { type Absence, closeFindings, type Gone } from './store-absent.ts'
import { settleWords } from './store-witness-words.ts'

/** As closeFindings; an issue that stays open names what its witnesses that are left name. One statement more where one does. */
export async function closeAbsent(trx: Trx, companyId: Id, absence: Absence): Promise<Gone[]> {
  const gone = await closeFindings(trx, companyId, absence)
  const held = gone.flatMap(({ issueId, isShared, isFixed }) => (isShared && !isFixed ? [issueId] : []))
  if (held.length > 0) await settleWords(trx, companyId, [...new Set(held)])
  return gone
}
