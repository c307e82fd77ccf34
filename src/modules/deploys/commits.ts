// Commit ids as callers write them: whole or abbreviated, in any case.

import { badUserInput } from '../../core/errors.ts'

/** Digits of the shortest abbreviation that is taken. */
export const SHORTEST_COMMIT = 7

/** A commit id of 7 to 64 hexadecimal digits in lower case; BAD_USER_INPUT naming `argument` otherwise. */
export function parseCommit(text: string, argument: string): string {
  const commit = text.trim().toLowerCase()
  if (!/^[0-9a-f]{7,64}$/.test(commit)) throw badUserInput(`${argument} has 7 to 64 hexadecimal digits`, argument)
  return commit
}
