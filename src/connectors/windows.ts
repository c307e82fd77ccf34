// Cuts the page that a caller asked for out of a vendor's list, whose pages have another size.

import type { Listing, ListQuery } from './session.ts'

type Asked = Pick<ListQuery, 'page' | 'limit'>

/** `fetch` gives a page of the vendor's by its number, from 1, and its size, which is `largest` at most. */
export async function pageOfPages<T>(
  { page, limit }: Asked,
  largest: number,
  fetch: (page: number, size: number) => Promise<Listing<T>>,
): Promise<Listing<T>> {
  if (limit <= largest) {
    const { items, total } = await fetch(page, limit)
    return { items: items.slice(0, limit), total }
  }
  const first = (page - 1) * limit
  const items: T[] = []
  let total: number | null = null
  for (let number = Math.floor(first / largest) + 1; items.length < limit; number += 1) {
    const got = await fetch(number, largest)
    total = got.total
    const from = Math.max(0, first - (number - 1) * largest)
    items.push(...got.items.slice(from, from + limit - items.length))
    if (got.items.length < largest) break
  }
  return { items, total }
}

/** The page of a list that has to be walked from its beginning; the total is known once its end was seen. */
export async function pageOfWalk<T>({ page, limit }: Asked, walked: AsyncIterable<T>): Promise<Listing<T>> {
  const first = (page - 1) * limit
  const items: T[] = []
  let seen = 0
  for await (const item of walked) {
    if (items.length === limit) return { items, total: null }
    if (seen >= first) items.push(item)
    seen += 1
  }
  return { items, total: seen }
}

/** At most `most` of what is walked. */
export async function firstOf<T>(walked: AsyncIterable<T>, most: number): Promise<T[]> {
  const items: T[] = []
  if (most === 0) return items
  for await (const item of walked) {
    items.push(item)
    if (items.length === most) break
  }
  return items
}
