// Commit ids as callers write them, full or abbreviated; two are the same commit if one is a prefix of the other.

import { type RawBuilder, sql } from 'kysely'
import { badUserInput } from './errors.ts'

/** Digits of the shortest accepted abbreviation. */
export const SHORTEST_COMMIT = 7

/** A commit id of 7 to 64 hexadecimal digits in lower case; BAD_USER_INPUT naming `argument` otherwise. */
export function parseCommit(text: string, argument: string): string {
  const commit = text.trim().toLowerCase()
  if (!/^[0-9a-f]{7,64}$/.test(commit)) throw badUserInput(`${argument} has 7 to 64 hexadecimal digits`, argument)
  return commit
}

/**
 * Whether a column of commit ids equals the commit, abbreviated or not; false for a null commit. The two bounds let an index find the ids
 * that begin with the same digits, which are few for any asset.
 */
export const isCommit = (column: RawBuilder<unknown>, commit: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${column} >= left(${commit}, ${SHORTEST_COMMIT}::int) and ${column} < ${commit} || 'g'
    and (starts_with(${column}, ${commit}) or starts_with(${commit}, ${column})))`
