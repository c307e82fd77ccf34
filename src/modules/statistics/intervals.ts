// Calendar intervals in UTC, for figures over time.

import { badUserInput } from '../../core/errors.ts'
import { lastStep } from '../../core/text.ts'

export type Interval = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER'

/** ISO 8601; `end` is exclusive. */
export type Bucket = { start: string; end: string }

const DAY = 86_400_000
const MOST = 400
const USUAL = 12

/** The start of the interval that contains a time; both in milliseconds since 1970. */
export function startOf(interval: Interval, time: number): number {
  const date = new Date(time)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  const day = Date.UTC(year, month, date.getUTCDate())
  if (interval === 'DAY') return day
  if (interval === 'WEEK') return day - ((date.getUTCDay() + 6) % 7) * DAY
  return Date.UTC(year, interval === 'MONTH' ? month : month - (month % 3), 1)
}

/** The start of the interval that is so many later or, if negative, earlier. */
export function shifted(interval: Interval, start: number, by: number): number {
  if (interval === 'DAY') return start + by * DAY
  if (interval === 'WEEK') return start + by * 7 * DAY
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by * (interval === 'MONTH' ? 1 : 3), 1)
}

/** The names of the caller's two arguments, for error messages. */
type Ends = { from: string; to: string }

/**
 * The intervals from the one that contains `from` up to `to`, at which the last is cut; by default the last twelve until `now`.
 * BAD_USER_INPUT if `from` is not before `to`, and for more than 400 intervals.
 */
export function bucketsOf(
  interval: Interval,
  from: string | null,
  to: string | null,
  now: number,
  ends: Ends = { from: 'from', to: 'to' },
): Bucket[] {
  const end = to === null ? now : Date.parse(to)
  const first =
    from === null ? shifted(interval, startOf(interval, end), 1 - USUAL) : startOf(interval, Date.parse(from))
  const [fromName, toName] = [lastStep(ends.from), lastStep(ends.to)]
  // a caller's clock may be ahead of ours: without an end, the current interval is the last one
  const isTooLate = to === null ? first >= end : from !== null && Date.parse(from) >= end
  if (isTooLate) {
    throw badUserInput(`${fromName} lies before ${to === null ? 'now' : toName}`, ends.from)
  }
  const buckets: Bucket[] = []
  for (let start = first; start < end; start = shifted(interval, start, 1)) {
    const next = Math.min(shifted(interval, start, 1), end)
    buckets.push({ start: new Date(start).toISOString(), end: new Date(next).toISOString() })
    if (buckets.length > MOST) {
      throw badUserInput(`There are more than ${MOST} intervals from ${fromName} to ${toName}`, ends.from)
    }
  }
  return buckets
}
