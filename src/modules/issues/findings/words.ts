// What a report itself decides of findings: a suppression, a VEX statement, and its end when the next report has it no more.

import type { Trx } from '../../../core/db/open.ts'
import type { IssueStatus } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import { isPersonsWord, permittedFrom } from '../transitions.ts'
import { type Change, updateByWord } from './store-words.ts'

/** What a report says of an issue; null: nothing, so that what it said before no longer counts. */
export type Word = {
  issue: Pick<IssueRecord, 'id' | 'status' | 'decidedAt'>
  decision: { status: IssueStatus; reason: string; until?: string } | null
}

/**
 * Writes the words of a report, with their history, where no person has decided: an issue that somebody set a status of keeps it.
 * Answers with the issues that changed. One statement, or none.
 */
export async function takeWords(
  trx: Trx,
  companyId: Id,
  words: readonly Word[],
  said: { authorId: Id; scanId: Id | null; deployId: Id | null },
): Promise<ReadonlySet<Id>> {
  const changes = words.flatMap((word) => changeOf(word) ?? [])
  if (changes.length === 0) return new Set()
  return new Set(await updateByWord(trx, companyId, changes, said))
}

/** A person's decision has its moment; a status of the same name without one is a report's, if its last event says so too. */
function changeOf({ issue, decision }: Word): Change | null {
  if (issue.decidedAt !== null) return null
  const { id: issueId, status: from } = issue
  const wasSaid = isPersonsWord(from)
  if (decision === null) {
    return wasSaid ? { issueId, from, status: 'IDENTIFIED', reason: `The report no longer says ${from}` } : null
  }
  const { status, reason, until } = decision
  const isPermitted = wasSaid || permittedFrom(from).includes(status)
  return status !== from && isPermitted ? { issueId, from, status, reason, until } : null
}
