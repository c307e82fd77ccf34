// Checks of points in time that callers give.

import { badUserInput } from './errors.ts'

/** BAD_USER_INPUT naming `argument` for a moment that has passed; none is no fault. */
export function requireFuture(moment: string | null | undefined, argument: string): void {
  if (typeof moment === 'string' && Date.parse(moment) <= Date.now()) {
    throw badUserInput(`${argument.split('.').at(-1)} has passed already`, argument)
  }
}

type Range = { startDate?: string | null; endDate?: string | null }

/** Both ends of a time, null where there is none; BAD_USER_INPUT naming `argument` where it ends before it starts. */
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
