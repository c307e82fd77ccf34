// The one way to page a list: by number, or after a cursor at constant cost, with an exact count up to 100,000.

import { type SelectQueryBuilder, sql } from 'kysely'
import { badUserInput } from '../errors.ts'
import { type Id, isId } from '../ids.ts'
import { COUNT_LIMIT, rememberCount, rememberedCount } from './large-lists.ts'
import type { Db } from './open.ts'
import type { Database } from './tables.generated.ts'

/** The page that a caller asks for. `limit` is already capped at the largest page. */
export type PageRequest = { page: number; limit: number; after: string | null }

/** A page of a list with its `metadata`. */
export type Page<T> = { collection: T[]; metadata: PageMetadata }

type PageMetadata = {
  currentPage: number
  limitValue: number
  totalCount: number
  totalCountIsExact: boolean
  totalPages: number
  /** where the next page starts, or null on an empty page */
  endCursor: string | null
}

/** Skipping this many rows or more by page number is refused; a cursor has no such limit. */
const DEEPEST_OFFSET = 1_000_000

type PageArguments = { page?: number | null; limit?: number | null; perPage?: number | null; after?: string | null }

/** Reads `page` and `limit` (or `perPage`) as given by a caller; BAD_USER_INPUT below 1. */
export function pageRequest(given: PageArguments | null | undefined, largest: number): PageRequest {
  const page = given?.page ?? 1
  const limit = given?.limit ?? given?.perPage ?? 10
  if (page < 1) throw badUserInput('page starts at 1', 'page')
  if (limit < 1) throw badUserInput('A page has at least 1 entry', given?.perPage === undefined ? 'limit' : 'perPage')
  const applied = Math.min(limit, largest)
  const after = given?.after ?? null
  if (after === null && (page - 1) * applied > DEEPEST_OFFSET) {
    throw badUserInput(`Pages end at entry ${DEEPEST_OFFSET}; go further with after`, 'page')
  }
  return { page, limit: applied, after }
}

/** A cursor, opaque to callers: the sort key of the last entry of a page. */
export const encodeCursor = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** The values that were given to encodeCursor; BAD_USER_INPUT for a text that is no cursor with this many sort keys. */
export function decodeCursor(cursor: string, keys: number): (string | number | null)[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(values) && values.length === keys && values.every(isKey)) return values
  } catch {}
  throw badUserInput('after is not a cursor of this list', 'after')
}

const isKey = (value: unknown): value is string | number | null =>
  value === null || typeof value === 'number' || (typeof value === 'string' && value.length <= 500)

/** Builds a page from its rows and the count, which was capped at COUNT_LIMIT + 1. */
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
 * Runs a list with the newest entries first: `query` selects the filtered rows with their `id`, and is ordered by descending id here. Takes
 * two statements at most, whatever the size.
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

/** The id in the cursor of a list that is ordered by id alone; BAD_USER_INPUT if it holds none. */
export function cursorId(after: string): Id {
  const id = String(decodeCursor(after, 1)[0])
  if (!isId(id)) throw badUserInput('after is not a cursor of this list', 'after')
  return id
}

/**
 * The number of matching rows, counted up to COUNT_LIMIT + 1. Takes no statement if the first page has all rows, or if the list was found to
 * exceed the limit within the last ten seconds.
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
