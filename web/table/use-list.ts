// A long list, loaded page after page by cursor; while it is asked for again, what was there stays.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AnyVariables, TypedDocumentNode } from 'urql'
import { useQuestion } from '../api/ask.ts'
import type { Failure } from '../api/failure.ts'
import { useKeptPlace } from './kept-place.ts'
import { type Counting, isLast, useTotal } from './use-total.ts'

/** What every collection of the contract has; one that is counted apart says how many a page has instead. */
export type Page<Row> = {
  collection: readonly Row[]
  metadata: { endCursor: string | null; totalCount?: number; totalCountIsExact?: boolean; limitValue?: number }
}

export type List<Row> = {
  rows: readonly Row[]
  /** Null until it is known. */
  total: { count: number; isExact: boolean } | null
  failure: Failure | undefined
  isWaiting: boolean
  /** What is shown is of another list, until this one is here. */
  isStale: boolean
  hasMore: boolean
  /** Loads the next page, unless one is being loaded. */
  more: () => void
  /** Asks again for all that is loaded, and puts it in place at once. */
  again: () => Promise<void>
}

/** Pages that are asked for again at once for who comes back. */
const MOST_KEPT = 20

type State<Row> = { key: string; pages: readonly Page<Row>[]; failure?: Failure }

/** `document` takes `$after`; `collectionOf` finds the collection in its data; with `counting` its rows wait for no count. */
export function useList<Data, Row, Rest extends AnyVariables>(
  document: TypedDocumentNode<Data, Rest & { after?: string | null }>,
  variables: Rest,
  collectionOf: (data: Data) => Page<Row>,
  counting?: Counting,
): List<Row> {
  const question = useQuestion()
  const key = JSON.stringify(variables)
  const [state, setState] = useState<State<Row>>({ key: '', pages: [] })
  const [isLoading, setLoading] = useState(false)
  const current = useRef(key)
  current.current = key
  // the run whose outcome counts: pages that are added to what was there are not to undo what was asked for again meanwhile
  const run = useRef(0)
  const pick = useRef(collectionOf).current
  const load = useCallback(
    async (after: string | null): Promise<Page<Row>> => pick(await question(document, { ...JSON.parse(key), after })),
    [question, document, key, pick],
  )

  /** Runs `work` and keeps what comes of it, unless the list has become another one meanwhile. */
  const settle = useCallback(
    async (work: () => Promise<readonly Page<Row>[]>) => {
      run.current += 1
      const own = run.current
      const counts = () => run.current === own && current.current === key
      setLoading(true)
      try {
        const pages = await work()
        if (counts()) setState({ key, pages })
      } catch (error) {
        if (!counts()) return
        const failure = error as Failure
        setState((before) => ({ key, pages: before.key === key ? before.pages : [], failure }))
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
  const { total, failure } = useTotal(state.key, state.pages[0], counting)
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
    isStale: !isOwn,
    hasMore: next !== null,
    more,
    again,
  }
}
