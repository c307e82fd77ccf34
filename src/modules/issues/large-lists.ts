// Remembers for a moment which lists are too long to be counted, so that walking or reloading them does not count them again.

import { COUNT_LIMIT } from '../../core/db/page.ts'

/** milliseconds; so long may a list be said to be longer than is counted after it has become shorter */
const LEASE = 10_000

const MOST_REMEMBERED = 1000

const known = new WeakMap<object, Map<string, number>>()

/** What is counted for a list that is remembered as longer than that; null for one that has to be counted. */
export function rememberedCount(owner: object, list: string | null): number | null {
  if (list === null) return null
  const until = known.get(owner)?.get(list)
  return until !== undefined && Date.now() < until ? COUNT_LIMIT + 1 : null
}

/** Takes note of a count; only one that reached the bound is remembered, as others are exact. */
export function rememberCount(owner: object, list: string | null, counted: number): void {
  if (list === null || counted <= COUNT_LIMIT) return
  const lists = known.get(owner) ?? new Map<string, number>()
  known.set(owner, lists)
  const [oldest] = lists.keys()
  if (lists.size >= MOST_REMEMBERED && oldest !== undefined) lists.delete(oldest)
  lists.set(list, Date.now() + LEASE)
}
