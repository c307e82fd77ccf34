// What a scan asked and did not see, so that finding nothing there means nothing: what stayed behind a sign-in, and a target that is down.

import { needsCanary } from './first-pass.ts'
import type { ScanRecord } from './record.ts'
import type { Seen } from './seen.ts'
import { isTurnedAway, type Session } from './session.ts'
import type { Operation } from './types.ts'

/** Statuses of gateways, which come instead of the target's own answer. */
const INSTEAD = new Set([502, 503, 504])
/** What a target says that is not there, or that lets nobody in. */
const NOWHERE = new Set([403, 404])

/** Leaves out of what the scan covered what it did not see, and notes why. */
export function leaveOutUnseen(record: ScanRecord, sessions: readonly Session[], seen: Seen): void {
  const { operations, coverage, notes } = record
  const shut = operations.filter((operation) => isShut(operation, sessions, seen))
  for (const operation of [...shut, ...operations.filter((one) => INSTEAD.has(statusOf(one, seen)))])
    coverage.leaveOut(operation)
  if (shut.length > 0)
    notes.push(`Nothing showed that the credentials work, so earlier findings stay open: ${listOf(shut)}`)
  if (!isDown(operations.map((operation) => statusOf(operation, seen)))) return
  coverage.spoil()
  notes.push('No operation gave its own response to a normal request, so earlier findings stay open')
}

/** Whether credentials that were not seen to open anything were turned away. */
const isShut = (operation: Operation, sessions: readonly Session[], seen: Seen): boolean =>
  sessions.filter(needsCanary).some(({ identity }) => {
    const answer = seen.find(operation, identity)
    return answer !== undefined && isTurnedAway(answer)
  })

/** 0 without an answer. */
const statusOf = (operation: Operation, seen: Seen): number => seen.find(operation)?.answer.status ?? 0

/** Whether the target as a whole is down or shut; one page that is not there may be all that a target has. */
function isDown(statuses: readonly number[]): boolean {
  const isFault = (status: number) => status === 0 || status >= 500 || status === 429
  return statuses.every((status) => isFault(status) || (statuses.length > 1 && NOWHERE.has(status)))
}

/** The most operations named in a note. */
const MOST_NAMED = 5

export const listOf = (operations: readonly Pick<Operation, 'key'>[]): string => {
  const named = operations.slice(0, MOST_NAMED).map(({ key }) => key)
  const more = operations.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
