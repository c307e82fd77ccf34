// Remembers for a few seconds which lists are too long to count, so that paging through or reloading one does not count it again.

import { sha256 } from '../crypto.ts'

/** Matches are counted exactly up to here. */
export const COUNT_LIMIT = 100_000

/** milliseconds; so long may a list be said to be longer than is counted after it has become shorter */
const LEASE = 10_000

const MOST_REMEMBERED = 1000

const known = new WeakMap<object, Map<string, number>>()

/** What is counted for a list that is remembered as longer than that; null for one that has to be counted. */
export function rememberedCount(owner: object, list: string | null): number | null {
  const until = list === null ? undefined : known.get(owner)?.get(shortened(list))
  return until !== undefined && performance.now() < until ? COUNT_LIMIT + 1 : null
}

/** Takes note of a count; only one that reached the bound is remembered, as others are exact. */
export function rememberCount(owner: object, list: string | null, counted: number): void {
  if (list === null || counted <= COUNT_LIMIT) return
  const lists = known.get(owner) ?? new Map<string, number>()
  known.set(owner, lists)
  const [oldest] = lists.keys()
  if (lists.size >= MOST_REMEMBERED && oldest !== undefined) lists.delete(oldest)
  lists.set(shortened(list), performance.now() + LEASE)
}

/** A list is named by what a caller filters by, which may be as long as a request. */
const shortened = (list: string): string => (list.length <= 64 ? list : sha256(list).toString('base64url'))
