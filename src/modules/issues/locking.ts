// Holds issues for a change, so that nobody who holds some of them waits for others.

import { setTimeout as delay } from 'node:timers/promises'
import { type Db, isHeld, type Trx, transaction } from '../../core/db/open.ts'
import { conflict } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { type IssueRecord, lockAtOnce, lockWaiting } from './store.ts'

/** Milliseconds that several issues are waited for, and between two looks. */
const PATIENCE = 8000
const PAUSE = 40

/**
 * The issues of the company among these ids, locked until the transaction ends. Of several all are locked at once, or none: where
 * somebody holds one it fails, for `whenFree` to begin again.
 */
export const lockIssues = (trx: Trx, companyId: Id, ids: readonly Id[]): Promise<IssueRecord[]> =>
  ids.length < 2 ? lockWaiting(trx, companyId, ids) : lockAtOnce(trx, companyId, ids)

/**
 * Runs `work`, which locks issues, in a transaction, again until nobody holds any of them: who waits holds nothing that a report waits
 * for, which comes to its issues in an order of its own. CONFLICT where that takes too long.
 */
export async function whenFree<T>(db: Db | Trx, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; await delay(PAUSE)) {
    try {
      return await transaction(db, work)
    } catch (error) {
      if (!isHeld(error)) throw error
    }
  }
  throw conflict('Other changes of the same findings were under way all the while', true)
}
