// A day in relative terms, with the date itself on hover.

import { dayWords, exactDay } from '../util/words.ts'

/** `at` has the contract's format, such as 2026-03-01. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactDay(at)}>
    {dayWords(at, Date.now())}
  </time>
)
