// Reads a list of the service, a page after another.

import { request, type Selection } from './client.ts'

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
