// When a failed delivery is retried: soon at first, then less often, for 24 hours.

/** Seconds after the first, second, … failure; the last value repeats. */
const PAUSES = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400]

/** Consecutive failures after which nothing is sent to the same destination for a while. */
const FAILURES_BEFORE_HOLD = 5

/** Jitter: pauses are lengthened at random by up to this share, so that not everything is retried at once. */
const SPREAD = 0.1
const LONGEST_ASKED = 3_600

/** Seconds until the next attempt after so many failures; `asked` is the receiver's Retry-After, in seconds. */
export function pauseAfter(failures: number, asked: number | null = null, random: () => number = Math.random): number {
  const pause = PAUSES[Math.min(Math.max(failures, 1), PAUSES.length) - 1] ?? 0
  return Math.max(pause * (1 + SPREAD * random()), Math.min(asked ?? 0, LONGEST_ASKED))
}

/** Seconds for which nothing is sent to a destination after so many consecutive failures; 0 to send at once. */
export const holdAfter = (failures: number): number =>
  failures < FAILURES_BEFORE_HOLD ? 0 : Math.min(pauseAfter(failures - FAILURES_BEFORE_HOLD + 1), LONGEST_ASKED)

/** A Retry-After header, in seconds or as a date, as seconds from now; null if it cannot be read. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000)
}
