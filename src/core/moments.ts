// Validates points in time from callers.

import { badUserInput } from './errors.ts'

/** BAD_USER_INPUT naming `argument` for a time in the past; a missing time is valid. */
export function requireFuture(moment: string | null | undefined, argument: string): void {
  if (typeof moment === 'string' && Date.parse(moment) <= Date.now()) {
    throw badUserInput(`${argument.split('.').at(-1)} is in the past`, argument)
  }
}

type Range = { startDate?: string | null; endDate?: string | null }

/** Reads a period, with null for an open end; BAD_USER_INPUT naming `argument` if it ends before it starts. */
export function readRange(
  range: Range | null | undefined,
  argument: string,
): { from: string | null; to: string | null } {
  const { startDate: from = null, endDate: to = null } = range ?? {}
  if (from !== null && to !== null && Date.parse(to) < Date.parse(from)) {
    throw badUserInput(`${argument} ends before it starts`, argument)
  }
  return { from, to }
}
