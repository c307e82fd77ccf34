// What VEX statements decide about issues, whichever tool reports them.

import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'
import { isPersonsWord, permittedFrom } from '../transitions.ts'
import { findTold, type Told } from './store-statements.ts'
import { type Change, type Said, updateByWord } from './store-words.ts'

const said = { NOT_AFFECTED: 'FALSE_POSITIVE', FIXED: 'FIX_ACCEPTED' } as const

/**
 * Brings the issues of these findings in line with the newest statement about each, with history. What a person decided stays. Returns the
 * changed issues. One statement, and one more if something changes.
 */
export async function obeyStatements(
  trx: Trx,
  companyId: Id,
  findingIds: readonly Id[],
  by: Said,
): Promise<ReadonlySet<Id>> {
  if (findingIds.length === 0) return new Set()
  const changes = (await findTold(trx, companyId, findingIds)).flatMap((told) => changeOf(told) ?? [])
  return updateByWord(trx, companyId, changes, by)
}

/** The change that the statement makes; null: none. Statements that decide nothing end what was stated before. */
function changeOf({ issueId, status: from, isDecided, isStated, statementId, stated, reason }: Told): Change | null {
  if (isDecided || from === 'DRAFT') return null
  const status = stated === 'NOT_AFFECTED' || stated === 'FIXED' ? said[stated] : null
  if (status !== null && statementId !== null) {
    const isPermitted = isStated || isPersonsWord(from) || permittedFrom(from).includes(status)
    return status !== from && isPermitted ? { issueId, from, status, reason: reason ?? '', statementId } : null
  }
  if (!isStated || (from !== 'FALSE_POSITIVE' && from !== 'FIX_ACCEPTED')) return null
  const why = reason ?? 'The VEX statement about it was withdrawn'
  return { issueId, from, status: 'IDENTIFIED', reason: why, statementId: null }
}
