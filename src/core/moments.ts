// What moments that a caller gave have in common.

import { badUserInput } from './errors.ts'

/** BAD_USER_INPUT naming `argument` for a moment that has passed; none is no fault. */
export function requireFuture(moment: string | null | undefined, argument: string): void {
  if (typeof moment === 'string' && Date.parse(moment) <= Date.now()) {
    throw badUserInput(`${argument.split('.').at(-1)} has passed already`, argument)
  }
}
