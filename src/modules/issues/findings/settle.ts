// Gives new findings that another installation kept what a scan has no words for: who decided what, until when, and other branches.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import { isPersonsWord } from '../transitions.ts'
import type { Kept } from './finding.ts'
import { updateSettled } from './store-settled.ts'

export type Settling = { issue: Pick<IssueRecord, 'id' | 'companyId' | 'assetId' | 'status'>; kept: Kept }

/**
 * Writes what was kept of findings that were created in the same transaction. A decision becomes that of `authorId`, who brings
 * it; where `mayDecide` is false it is the file's word, which a later report takes back. One statement.
 */
export async function settleKept(
  trx: Trx,
  companyId: Id,
  settling: readonly Settling[],
  { authorId, mayDecide }: { authorId: Id; mayDecide: boolean },
): Promise<void> {
  if (settling.length === 0) return
  const rows = settling.map(({ issue, kept: { places, id: _, branch, ...kept } }) => ({
    ...kept,
    issueId: issue.id,
    assetId: issue.assetId,
    branch,
    status: issue.status,
    isDecided: kept.isDecided && (mayDecide || !isPersonsWord(issue.status)),
    own: places[0] ?? null,
    others: places.slice(1),
  }))
  await updateSettled(trx, companyId, rows, authorId)
}
