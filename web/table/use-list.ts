// Loads a long list page by page with cursors, and keeps the old rows on screen while it is loaded again or the server is away.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AnyVariables, TypedDocumentNode } from 'urql'
import { useQuestion } from '../api/ask.ts'
import type { Failure } from '../api/failure.ts'
import { isLast, type Page } from './collection-page.ts'
import { useKeptPlace } from './kept-place.ts'
import { type Counting, useTotal } from './use-total.ts'

export type List<Row> = {
  rows: readonly Row[]
  /** Null until it is known. */
  total: { count: number; isExact: boolean } | null
  failure: Failure | undefined
  isWaiting: boolean
  /** The rows belong to the previous variables, until those of the current ones have arrived. */
  isStale: boolean
  hasMore: boolean
  /** Loads the next page, unless a load is in progress. */
  more: () => void
  /** Loads all pages that are shown again, and replaces them in one step. */
  again: () => Promise<void>
}

/** How many pages are loaded at once at most when somebody comes back to a list. */
const MOST_KEPT = 20

/** `of` is the key of the pages: an earlier one than `key` if those of `key` could not be fetched. */
type State<Row> = { key: string; of: string; pages: readonly Page<Row>[]; failure?: Failure }

/**
 * `document` takes `$after`, and `collectionOf` picks the collection out of its data. With `counting`, the count is a
 * query of its own, so that the rows need not wait for it.
 */
export function useList<Data, Row, Rest extends AnyVariables>(
  document: TypedDocumentNode<Data, Rest & { after?: string | null }>,
  variables: Rest,
  collectionOf: (data: Data) => Page<Row>,
  counting?: Counting,
): List<Row> {
  const question = useQuestion()
  const key = JSON.stringify(variables)
  const [state, setState] = useState<State<Row>>({ key: '', of: '', pages: [] })
  const [isLoading, setLoading] = useState(false)
  const current = useRef(key)
  current.current = key
  // only the latest run counts: a page that arrives late must not undo a reload that was started after it
  const run = useRef(0)
  const pick = useRef(collectionOf).current
  const load = useCallback(
    async (after: string | null): Promise<Page<Row>> => pick(await question(document, { ...JSON.parse(key), after })),
    [question, document, key, pick],
  )

  /** Runs `work` and stores its outcome, unless a later run has started or the list's variables have changed meanwhile. */
  const settle = useCallback(
    async (work: () => Promise<readonly Page<Row>[]>) => {
      run.current += 1
      const own = run.current
      const counts = () => run.current === own && current.current === key
      setLoading(true)
      try {
        const pages = await work()
        if (counts()) setState({ key, of: key, pages })
      } catch (error) {
        if (!counts()) return
        const failure = error as Failure
        // what was there stays readable while the server is away; an answer that refuses leaves nothing of an earlier one
        const isKept = ({ of, pages }: State<Row>) => of === key || (pages.length > 0 && failure.code === 'UNREACHABLE')
        setState((before) => ({ ...(isKept(before) ? before : { of: key, pages: [] }), key, failure }))
      } finally {
        if (counts()) setLoading(false)
      }
    },
    [key],
  )

  const loadPages = useCallback(
    async (wanted: number): Promise<readonly Page<Row>[]> => {
      const pages: Page<Row>[] = []
      for (let after: string | null = null; pages.length < wanted; ) {
        const page = await load(after)
        pages.push(page)
        after = page.metadata.endCursor
        if (after === null) break
      }
      return pages
    },
    [load],
  )

  const kept = useKeptPlace(`pages ${key}`, () => state.pages.length)
  const first = useRef(Math.min(Math.max(1, kept ?? 1), MOST_KEPT))
  useEffect(() => {
    const wanted = first.current
    first.current = 1
    void settle(() => loadPages(wanted))
  }, [loadPages, settle])

  const isOwn = state.key === key
  const last = state.pages.at(-1)
  const rows = useMemo(() => state.pages.flatMap((page) => page.collection), [state.pages])
  const { total, failure } = useTotal(state.of, state.pages[0], counting)
  const isWhole = (total?.isExact === true && rows.length >= total.count) || (last !== undefined && isLast(last))
  const next = isOwn && !state.failure && !isWhole ? (last?.metadata.endCursor ?? null) : null

  const more = useCallback(() => {
    if (isLoading || next === null) return
    void settle(async () => [...state.pages, await load(next)])
  }, [isLoading, load, next, settle, state.pages])

  const again = useCallback(
    () => settle(() => loadPages(Math.max(1, isOwn ? state.pages.length : 1))),
    [isOwn, loadPages, settle, state.pages.length],
  )

  return {
    rows,
    total,
    failure: isOwn ? (state.failure ?? failure) : undefined,
    isWaiting: state.pages.length === 0 && !state.failure,
    isStale: state.of !== key,
    hasMore: next !== null,
    more,
    again,
  }
}
