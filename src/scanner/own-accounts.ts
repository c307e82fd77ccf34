// What a person has to know to remove the accounts that a scan registered.

import { ownPassword } from './seed/own-password.ts'
import type { Seen } from './seen.ts'
import type { Operation } from './types.ts'

/** Operations that are named. */
const MOST_NAMED = 5

/** A sentence about what may have made accounts with the scan's own password; null where nothing took it. */
export function noteOfAccounts(operations: readonly Operation[], seen: Pick<Seen, 'find'>): string | null {
  const made = operations.filter((operation) => {
    const answer = seen.find(operation)?.answer
    return operation.kind === 'create' && hasOwnPassword(operation) && answer !== undefined && answer.status < 400
  })
  if (made.length === 0) return null
  const keys = made.slice(0, MOST_NAMED).map(({ key }) => key)
  return `Accounts that the scan may have registered have the password ${ownPassword}, to sign in and remove them: ${keys.join(', ')}`
}

const hasOwnPassword = ({ body, parameters }: Operation): boolean =>
  JSON.stringify([body, parameters.map(({ value }) => value)]).includes(ownPassword)
