// Remembers for a few seconds which lists are too long to count, so that paging through or reloading one does not count it again.

import { sha256 } from '../crypto.ts'

/** Matches are counted exactly up to this number. */
export const COUNT_LIMIT = 100_000

/** milliseconds for which a list that has become shorter may still be called longer than the bound */
const LEASE = 10_000

const MOST_REMEMBERED = 1000

const known = new WeakMap<object, Map<string, number>>()

/** The count of a list that is remembered as longer than the bound; null if it must be counted. */
export function rememberedCount(owner: object, list: string | null): number | null {
  const until = list === null ? undefined : known.get(owner)?.get(shortened(list))
  return until !== undefined && performance.now() < until ? COUNT_LIMIT + 1 : null
}

/** Remembers a count that reached the bound; smaller counts are exact and not remembered. */
export function rememberCount(owner: object, list: string | null, counted: number): void {
  if (list === null || counted <= COUNT_LIMIT) return
  const lists = known.get(owner) ?? new Map<string, number>()
  known.set(owner, lists)
  const [oldest] = lists.keys()
  if (lists.size >= MOST_REMEMBERED && oldest !== undefined) lists.delete(oldest)
  lists.set(shortened(list), performance.now() + LEASE)
}

/** A list is identified by its filters, or by a hash of them: they may be as long as a request. */
const shortened = (list: string): string => (list.length <= 64 ? list : sha256(list).toString('base64url'))
