// The one way to page a list: by number, or after a cursor at constant cost, with an exact count up to 100,000.

import { type SelectQueryBuilder, sql } from 'kysely'
import { badUserInput } from '../errors.ts'
import { type Id, isId } from '../ids.ts'
import { COUNT_LIMIT, rememberCount, rememberedCount } from './large-lists.ts'
import type { Db } from './open.ts'
import type { Database } from './tables.generated.ts'

/** What a caller asks of a list. `limit` is already cut to the largest page. */
export type PageRequest = { page: number; limit: number; after: string | null }

/** A page of a list and what `metadata` says of it. */
export type Page<T> = { collection: T[]; metadata: PageMetadata }

export type PageMetadata = {
  currentPage: number
  limitValue: number
  totalCount: number
  totalCountIsExact: boolean
  totalPages: number
  /** where the next page starts, or null on an empty page */
  endCursor: string | null
}

/** Skipping this many rows by page number is refused; a cursor has no such bound. */
const DEEPEST_OFFSET = 1_000_000

type PageArguments = { page?: number | null; limit?: number | null; perPage?: number | null; after?: string | null }

/** Reads `page` and `limit` (or `perPage`) as a caller gave them; BAD_USER_INPUT below 1. */
export function pageRequest(given: PageArguments | null | undefined, largest: number): PageRequest {
  const page = given?.page ?? 1
  const limit = given?.limit ?? given?.perPage ?? 10
  if (page < 1) throw badUserInput('page starts at 1', 'page')
  if (limit < 1) throw badUserInput('A page has at least 1 entry', given?.perPage === undefined ? 'limit' : 'perPage')
  const applied = Math.min(limit, largest)
  const after = given?.after ?? null
  if (after === null && (page - 1) * applied > DEEPEST_OFFSET) {
    throw badUserInput(`Pages reach ${DEEPEST_OFFSET} entries deep; walk further with after`, 'page')
  }
  return { page, limit: applied, after }
}

/** A cursor is opaque to callers: the values of the sort key of a page's last entry. */
export const encodeCursor = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** The values that encodeCursor was given; BAD_USER_INPUT when it is no cursor of a list with so many sort keys. */
export function decodeCursor(cursor: string, keys: number): (string | number | null)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(values) && values.length === keys && values.every(isKey)) return values
  } catch {}
  throw badUserInput('after is not a cursor of this list', 'after')
}

const isKey = (value: unknown): value is string | number | null =>
  value === null || typeof value === 'number' || (typeof value === 'string' && value.length <= 500)

/** Puts a page together from its rows and the count, which was cut one above COUNT_LIMIT. */
export function pageOf<T>(
  request: PageRequest,
  rows: T[],
  counted: number,
  cursor: (last: T) => readonly unknown[],
): Page<T> {
  const totalCount = Math.min(counted, COUNT_LIMIT)
  const last = rows.at(-1)
  return {
    collection: rows,
    metadata: {
      currentPage: request.page,
      limitValue: request.limit,
      totalCount,
      totalCountIsExact: counted <= COUNT_LIMIT,
      totalPages: Math.ceil(totalCount / request.limit),
      endCursor: last === undefined ? null : encodeCursor(cursor(last)),
    },
  }
}

/**
 * Runs a list that is newest first: `query` selects what is shown with its `id`, already filtered; it is ordered by id
 * descending here. Two statements at most, whatever the size.
 */
export async function newestFirst<TB extends keyof Database, Row extends { id: Id }>(
  db: Db,
  query: SelectQueryBuilder<Database, TB, Row>,
  request: PageRequest,
  idColumn: string,
): Promise<Page<Row>> {
  const id = sql.ref<string>(idColumn)
  const matching = request.after === null ? query : query.where(sql<boolean>`${id} < ${cursorId(request.after)}`)
  const rows = await matching.orderBy(id, 'desc').limit(request.limit).offset(offsetOf(request)).execute()
  return pageOf(request, rows as Row[], await boundedCount(db, query, rows.length, request), (row) => [row.id])
}

/** Rows to skip: none after a cursor. */
export const offsetOf = (request: PageRequest): number =>
  request.after === null ? (request.page - 1) * request.limit : 0

/** The id in the cursor of a list that is ordered by id alone; BAD_USER_INPUT when there is none. */
export function cursorId(after: string): Id {
  const id = String(decodeCursor(after, 1)[0])
  if (!isId(id)) throw badUserInput('after is not a cursor of this list', 'after')
  return id
}

/**
 * How many rows match, counted no further than one above COUNT_LIMIT. No statement when the first page shows them all, nor again for
 * ten seconds for a list that went beyond the limit.
 */
export async function boundedCount<TB extends keyof Database, Row>(
  db: Db,
  query: SelectQueryBuilder<Database, TB, Row>,
  shown: number,
  request: PageRequest,
): Promise<number> {
  if (request.after === null && request.page === 1 && shown < request.limit) return shown
  const bounded = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(COUNT_LIMIT + 1)
  const counting = sql<{ count: number }>`select count(*)::int as count from (${bounded}) as matching`.compile(db)
  const name = `${counting.sql}\0${JSON.stringify(counting.parameters)}`
  const remembered = rememberedCount(db, name)
  if (remembered !== null) return remembered
  const count = (await db.executeQuery(counting)).rows[0]?.count ?? 0
  rememberCount(db, name, count)
  return count
}
