// Repeats a transaction that the database undid to end a deadlock.

import { DatabaseError } from 'pg'
import { type Db, type Trx, transaction } from './open.ts'

const ATTEMPTS = 4

export const isDeadlock = (error: unknown): boolean => error instanceof DatabaseError && error.code === '40P01'

/** As transaction, for work that takes many locks at once, and whose order others cannot all keep to. */
export async function despiteDeadlocks<T>(db: Db | Trx, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS - 1; left > 0; left -= 1) {
    try {
      return await transaction(db, work)
    } catch (error) {
      if (!isDeadlock(error)) throw error
    }
  }
  return transaction(db, work)
}
