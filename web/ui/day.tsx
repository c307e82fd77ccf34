// A day, as how far away it is; the date itself is on hover.

import { dayWords, exactDay } from '../util/words.ts'

/** `at` as the contract has it, such as 2026-03-01. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactDay(at)}>
    {dayWords(at, Date.now())}
  </time>
)
