// Decisions that a report itself makes: a suppression, a VEX statement, and their end when the next report lacks them.

import type { Trx } from '../../../core/db/open.ts'
import type { IssueStatus } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import { isPersonsWord, permittedFrom } from '../transitions.ts'
import { type Change, type Said, updateByWord } from './store-words.ts'

/** A report's decision about an issue; null: none, which ends an earlier one. */
type Word = {
  issue: Pick<IssueRecord, 'id' | 'status' | 'decidedAt'>
  decision: { status: IssueStatus; reason: string; until?: string } | null
}

/**
 * Applies a report's decisions, with history. An issue whose status a person has set keeps it. Returns the changed issues. One statement, or
 * none.
 */
export const takeWords = (trx: Trx, companyId: Id, words: readonly Word[], said: Said): Promise<ReadonlySet<Id>> =>
  updateByWord(
    trx,
    companyId,
    words.flatMap((word) => changeOf(word) ?? []),
    said,
  )

/** A person's decision has a time; the same status without a time is a report's, if its last event confirms it. */
function changeOf({ issue, decision }: Word): Change | null {
  if (issue.decidedAt !== null) return null
  const { id: issueId, status: from } = issue
  const wasSaid = isPersonsWord(from)
  if (decision === null) {
    return wasSaid ? { issueId, from, status: 'IDENTIFIED', reason: `The report no longer marks it ${from}` } : null
  }
  const { status, reason, until } = decision
  const isPermitted = wasSaid || permittedFrom(from).includes(status)
  return status !== from && isPermitted ? { issueId, from, status, reason, until } : null
}
