// The total of a list: taken from its first page or, where counting would delay the rows, queried once they have arrived.

import { useEffect, useRef, useState } from 'react'
import { type Question, useQuestion } from '../api/ask.ts'
import { asFailure, type Failure } from '../api/failure.ts'
import { isLast, type Page } from './collection-page.ts'

type Counts = { totalCount: number; totalCountIsExact: boolean }

/** Queries the total of the list that is shown. */
export type Counting = (question: Question) => Promise<Counts>

type Counted = { key: string; counts?: Counts; failure?: Failure }

/** `first` is the first page of the list that is shown; `key` identifies that list. */
export function useTotal(
  key: string,
  first: Page<unknown> | undefined,
  counting: Counting | undefined,
): { total: { count: number; isExact: boolean } | null; failure: Failure | undefined } {
  const question = useQuestion()
  const [counted, setCounted] = useState<Counted>({ key: '' })
  // one count at a time: otherwise counts for lists that were left already would delay the rows of the next list
  const before = useRef(Promise.resolve())
  const ask = useRef(counting)
  ask.current = counting
  useEffect(() => {
    if (!first || !ask.current) return
    if (isLast(first)) {
      setCounted({ key, counts: { totalCount: first.collection.length, totalCountIsExact: true } })
      return
    }
    let isLeft = false
    const count = async () => {
      if (isLeft || !ask.current) return
      try {
        const counts = await ask.current(question)
        if (!isLeft) setCounted({ key, counts })
      } catch (error) {
        if (!isLeft) setCounted({ key, failure: asFailure(error) })
      }
    }
    before.current = before.current.then(count)
    return () => {
      isLeft = true
    }
  }, [first, key, question])

  const apart = counted.key === key ? counted : undefined
  const counts = counting ? apart?.counts : first?.metadata
  const { totalCount: count, totalCountIsExact: isExact = true } = counts ?? {}
  return { total: count === undefined ? null : { count, isExact }, failure: counting && apart?.failure }
}
