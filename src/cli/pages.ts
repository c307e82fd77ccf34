// Reads a whole list from the service, page by page.

import { request, type Selection } from './client.ts'
import { say } from './output.ts'

/** What a query that is read whole selects beside its collection; it takes its `$after: String` as the place to go on. */
export const PAGE_METADATA = 'metadata { limitValue endCursor }'

/** All entries of the list that `query` asks for under the name `root`. */
export async function listAll<Row = Selection>(
  root: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Row[]> {
  return Array.fromAsync(listEach<Row>(root, query, variables))
}

/** The same one by one, for who stops at what was looked for. */
export async function* listEach<Row = Selection>(
  root: string,
  query: string,
  variables: Record<string, unknown> = {},
): AsyncGenerator<Row> {
  for (let after: string | null = null; ; ) {
    const { [root]: page } = await request(query, { ...variables, after })
    yield* page.collection
    if (page.collection.length < page.metadata.limitValue) return
    after = page.metadata.endCursor
  }
}

/** The beginning of a list, and how much there is of it in all. */
export type Beginning<Row> = { found: Row[]; totalCount: number; totalCountIsExact: boolean }

/**
 * The first `limit` entries, `page` of them in a request; the query takes its `$limit: Int` and `$after: String`, and selects
 * `metadata { limitValue totalCount totalCountIsExact endCursor }`.
 */
export async function listFirst<Row = Selection>(
  root: string,
  query: string,
  variables: Record<string, unknown>,
  limit: number,
  page: number,
): Promise<Beginning<Row>> {
  const found: Row[] = []
  for (let after: string | null = null; ; ) {
    const asked = { ...variables, limit: Math.min(page, limit - found.length), after }
    const { collection, metadata }: Selection = (await request(query, asked))[root]
    found.push(...collection)
    if (collection.length < metadata.limitValue || found.length >= limit) return { found, ...metadata }
    after = metadata.endCursor
  }
}

/** Says that there is more than what was found, where there is. */
export function sayHowMany({ found, totalCount, totalCountIsExact }: Beginning<unknown>): void {
  if (totalCount > found.length) say(`${found.length} of ${totalCountIsExact ? '' : 'more than '}${totalCount}`)
}
