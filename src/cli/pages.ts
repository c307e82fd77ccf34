// Reads a whole list from the service, page by page.

import { request, type Selection } from './client.ts'
import { say } from './output.ts'

/** What a query selects beside its collection so that all pages can be read; it takes the position to continue from as `$after: String`. */
export const PAGE_METADATA = 'metadata { limitValue endCursor }'

/** All entries of the list that `query` selects under the name `root`. */
export async function listAll<Row = Selection>(
  root: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Row[]> {
  return Array.fromAsync(listEach<Row>(root, query, variables))
}

/** The same one by one, for callers that stop early. */
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

/** The beginning of a list, with the total number of entries. */
type Beginning<Row> = { found: Row[]; totalCount: number; totalCountIsExact: boolean }

/**
 * The first `limit` entries, `page` of them per request. The query takes `$limit: Int` and `$after: String`, and selects
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

/** Says how many entries there are in all, if not all were listed. */
export function sayHowMany({ found, totalCount, totalCountIsExact }: Beginning<unknown>): void {
  if (totalCount > found.length) say(`${found.length} of ${totalCountIsExact ? '' : 'more than '}${totalCount}`)
}
