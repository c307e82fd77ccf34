// What a person needs to know to remove the accounts that a scan registered.

import { ownPasswordIn } from './seed/own-password.ts'
import type { Seen } from './seen.ts'
import type { Operation } from './types.ts'

/** The most operations named. */
const MOST_NAMED = 5

/** Which operations may have created accounts, and with which password; null if none accepted it. */
type OwnAccounts = { note: string; password: string }

export function ownAccountsAmong(operations: readonly Operation[], seen: Pick<Seen, 'find'>): OwnAccounts | null {
  const made = operations.flatMap((operation) => {
    const password = ownPasswordIn(JSON.stringify([operation.body, operation.parameters.map(({ value }) => value)]))
    const answer = seen.find(operation)?.answer
    const isTaken = operation.kind === 'create' && answer !== undefined && answer.status < 400
    return isTaken && password !== undefined ? [{ key: operation.key, password }] : []
  })
  const passwords = [...new Set(made.map(({ password }) => password))]
  if (passwords.length === 0) return null
  const keys = made.slice(0, MOST_NAMED).map(({ key }) => key)
  return {
    note: `Remove the accounts that the scan may have registered with ${keys.join(', ')}`,
    password: passwords.join(' or '),
  }
}
