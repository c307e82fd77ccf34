// When a delivery that failed is tried again: soon at first, rarely later, for 24 hours.

/** Seconds after the first, second, … failure; the last holds for all that follow. */
const PAUSES = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400]

/** Failures in a row after which nothing else is sent to the same place for a while. */
const FAILURES_BEFORE_HOLD = 5

/** Pauses are lengthened at random by up to this share, so that not everything is retried at once. */
const SPREAD = 0.1
const LONGEST_ASKED = 3_600

/** Seconds until the next attempt after so many failures; `asked` is what the other side's Retry-After said, in seconds. */
export function pauseAfter(failures: number, asked: number | null = null, random: () => number = Math.random): number {
  const pause = PAUSES[Math.min(Math.max(failures, 1), PAUSES.length) - 1] ?? 0
  return Math.max(pause * (1 + SPREAD * random()), Math.min(asked ?? 0, LONGEST_ASKED))
}

/** Seconds for which nothing is sent to a place after so many failures in a row; 0 for none. */
export const holdAfter = (failures: number): number =>
  failures < FAILURES_BEFORE_HOLD ? 0 : Math.min(pauseAfter(failures - FAILURES_BEFORE_HOLD + 1), LONGEST_ASKED)

/** A Retry-After header, in seconds or as a date, as seconds from now; null if it cannot be read. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000)
}
