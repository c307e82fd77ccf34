// Walks a vendor's paged lists: by the Link header, by an address or cursor in the body, by page number or by offset.

import type { z } from 'zod'
import type { VendorAnswer, VendorClient } from './client.ts'
import { VendorFailed } from './errors.ts'
import type { CallOptions } from './http-request.ts'
import type { Path } from './paths.ts'

/** Pages of one walk; more is a list that goes round in circles. */
const MOST_PAGES = 10_000

type Step = { path: Path; query?: CallOptions['query'] }

/**
 * The pages of a list, one call each, from `first` on; `nextOf` answers with the step after a page, or null after the last.
 * BROKEN_ANSWER when a step repeats the one before or there is no end.
 */
async function* walk<T>(
  client: VendorClient,
  first: Step,
  schema: z.ZodType<T>,
  nextOf: (answer: VendorAnswer<T>, page: number) => Step | null,
  options: CallOptions = {},
): AsyncGenerator<T> {
  let step: Step | null = first
  let before = ''
  for (let page = 1; step !== null; page += 1) {
    const name = JSON.stringify(step)
    if (name === before || page > MOST_PAGES) {
      throw new VendorFailed('The vendor', 'BROKEN_ANSWER', { detail: 'its list has no end' })
    }
    before = name
    const answer: VendorAnswer<T> = await client.answer('GET', step.path, schema, { ...options, query: step.query })
    yield answer.value
    step = nextOf(answer, page)
  }
}

/** By `Link: <…>; rel="next"` (RFC 8288), of the same origin. */
export const walkLinks = <T>(client: VendorClient, first: Step, schema: z.ZodType<T>, options?: CallOptions) =>
  walk(
    client,
    first,
    schema,
    ({ headers }) => {
      const next = linkOf(headers.link ?? '', 'next')
      return next === null ? null : { path: client.next(next) }
    },
    options,
  )

/** By an address in the body, absolute or relative, of the same origin. */
export const walkNext = <T>(
  client: VendorClient,
  first: Step,
  schema: z.ZodType<T>,
  nextOf: (page: T) => string | null | undefined,
  options?: CallOptions,
) =>
  walk(
    client,
    first,
    schema,
    ({ value }) => {
      const next = nextOf(value)
      return next ? { path: client.next(next) } : null
    },
    options,
  )

/** By a cursor that goes into the query again; null after the last page. */
export const walkCursor = <T>(
  client: VendorClient,
  first: Step,
  schema: z.ZodType<T>,
  cursorOf: (answer: VendorAnswer<T>) => string | null | undefined,
  parameter: string,
  options?: CallOptions,
) =>
  walk(
    client,
    first,
    schema,
    (answer) => {
      const cursor = cursorOf(answer)
      return cursor ? { ...first, query: { ...first.query, [parameter]: cursor } } : null
    },
    options,
  )

/** By a number in the query that grows: pages from `from` by 1, or an offset from 0 by the page's length. */
export const walkNumbers = <T>(
  client: VendorClient,
  first: Step,
  schema: z.ZodType<T>,
  isLast: (page: T) => boolean,
  { parameter, from = 0, by = 1 }: { parameter: string; from?: number; by?: number },
  options?: CallOptions,
) => {
  const stepOf = (page: number): Step => ({
    ...first,
    query: { ...first.query, [parameter]: from + by * page },
  })
  return walk(client, stepOf(0), schema, ({ value }, page) => (isLast(value) ? null : stepOf(page)), options)
}

/** The target of a relation in a Link header; null when there is none. */
function linkOf(header: string, relation: string): string | null {
  for (const [, target = '', parameters = ''] of header.matchAll(/<([^<>]{1,8000})>([^<]{0,1000})/g)) {
    const named = /;\s*rel\s*=\s*"?([^";,]{1,200})/i.exec(parameters)?.[1] ?? ''
    if (named.toLowerCase().split(/\s+/).includes(relation)) return target
  }
  return null
}
