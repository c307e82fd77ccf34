// Pages of ScannerB's lists, whose link to the next page may be relative and may lack the API's base path.

import type { z } from 'zod'
import { VendorFailed } from '../errors.ts'
import { walkCursor } from '../pages.ts'
import type { Path, Query } from '../paths.ts'
import type { Session } from '../session.ts'

/** Every call names the version of the API that it is written for. */
export const VERSION = '2024-10-15'
/** The most that a page has. */
const PAGE = 100

const CURSOR = 'starting_after'

type Linked = { links: { next: string | null } }

/** Of the next address the cursor alone is used, so that it does not matter how it is written; of another origin it is not followed. */
export const walkList = <T extends Linked>({ client }: Session, path: Path, schema: z.ZodType<T>, query: Query = {}) =>
  walkCursor(
    client,
    { path, query: { version: VERSION, limit: PAGE, ...query } },
    schema,
    ({ value }) => {
      const { next } = value.links
      if (next === null || next === '') return null
      const { text } = client.next(next)
      const cursor = URL.parse(text, 'https://vendor')?.searchParams.get(CURSOR)
      if (cursor) return cursor
      throw new VendorFailed('ScannerB', 'BROKEN_ANSWER', { detail: 'its next page has no cursor' })
    },
    CURSOR,
  )
