// Restores what a scan cannot express of findings exported by another installation: decisions, their ends, and other branches.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import { isPersonsWord } from '../transitions.ts'
import type { Kept, KeptTimes } from './finding.ts'
import { updateSettled } from './store-settled.ts'

const ANEW: KeptTimes = { createdAt: null, decidedAt: null, closedAt: null, slaStartedAt: null }

/** Drops times in the future, which come from a clock that was ahead. */
function passed({ createdAt, decidedAt, closedAt, slaStartedAt }: KeptTimes): KeptTimes {
  const past = (moment: string | null) => (moment !== null && Date.parse(moment) <= Date.now() ? moment : null)
  return {
    createdAt: past(createdAt),
    decidedAt: past(decidedAt),
    closedAt: past(closedAt),
    slaStartedAt: past(slaStartedAt),
  }
}

export type Settling = { issue: Pick<IssueRecord, 'id' | 'companyId' | 'assetId' | 'status'>; kept: Kept }

/**
 * Writes the exported data of findings that were created in the same transaction. Decisions are attributed to `authorId`, who imports them,
 * with the times in the file. If `mayDecide` is false, a decision counts as the report's, which a later report can take back, and times
 * start now. One statement.
 */
export async function settleKept(
  trx: Trx,
  companyId: Id,
  settling: readonly Settling[],
  { authorId, mayDecide }: { authorId: Id; mayDecide: boolean },
): Promise<void> {
  if (settling.length === 0) return
  const rows = settling.map(({ issue, kept: { places, id: _, branch, times, ...kept } }) => ({
    ...kept,
    ...(mayDecide ? passed(times) : ANEW),
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
