// How many a list has: as its first page says, or, where that would keep its rows waiting, counted once they are here.

import { useEffect, useRef, useState } from 'react'
import { type Question, useQuestion } from '../api/ask.ts'
import { asFailure, type Failure } from '../api/failure.ts'
import type { Page } from './use-list.ts'

type Counts = { totalCount: number; totalCountIsExact: boolean }

/** Asks how many there are of the list that is shown. */
export type Counting = (question: Question) => Promise<Counts>

type Counted = { key: string; counts?: Counts; failure?: Failure }

/** `first` is the first page that is shown, of the list that `key` names. */
export function useTotal(
  key: string,
  first: Page<unknown> | undefined,
  counting: Counting | undefined,
): { total: { count: number; isExact: boolean } | null; failure: Failure | undefined } {
  const question = useQuestion()
  const [counted, setCounted] = useState<Counted>({ key: '' })
  // one at a time: what a list that was left is counted for would keep the rows of the next one waiting
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

/** Whether the page says by itself that there is none after it. */
export const isLast = ({ collection, metadata }: Page<unknown>): boolean =>
  collection.length < (metadata.limitValue ?? 1)
