// Locks issues for a change without deadlocks with reports.

import { setTimeout as delay } from 'node:timers/promises'
import { type Db, isHeld, type Trx, transaction } from '../../core/db/open.ts'
import { conflict } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { type IssueRecord, lockAtOnce, lockWaiting } from './store.ts'

/** Milliseconds to wait for several issues in all, and between two attempts. */
const PATIENCE = 8000
const PAUSE = 40

/**
 * The issues of the company among these ids, locked until the transaction ends. Several issues are locked all at once or not at all: if
 * somebody else has one, this throws, and `whenFree` starts again.
 */
export const lockIssues = (trx: Trx, companyId: Id, ids: readonly Id[]): Promise<IssueRecord[]> =>
  ids.length < 2 ? lockWaiting(trx, companyId, ids) : lockAtOnce(trx, companyId, ids)

/**
 * Runs `work`, which locks issues, in a transaction, and retries until nobody else has any of them. While waiting it holds no lock that a
 * report could wait for, because a report locks issues in an order of its own. CONFLICT if it takes too long.
 */
export async function whenFree<T>(db: Db | Trx, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await delay(PAUSE)) {
    try {
      return await transaction(db, work)
    } catch (error) {
      if (!isHeld(error)) throw error
    }
  }
  throw conflict('The same findings kept being changed by other requests', true)
}
