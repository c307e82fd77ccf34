// When a delivery that failed is tried again: soon at first, rarely later, for 24 hours.

/** Seconds after the first, second, … failure; the last holds for all that follow. */
const PAUSES = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400]

/** Failures in a row after which nothing else is tried at the same place either. */
const FAILURES_BEFORE_HOLD = 5

/** A share by which a pause is longer at most, so that not everything comes again at once. */
const SPREAD = 0.1
const LONGEST_ASKED = 3_600

/** Seconds until the attempt after so many failures; `asked` is what the other side said in Retry-After, in seconds. */
export function pauseAfter(failures: number, asked: number | null = null, random: () => number = Math.random): number {
  const pause = PAUSES[Math.min(Math.max(failures, 1), PAUSES.length) - 1] ?? 0
  return Math.max(pause * (1 + SPREAD * random()), Math.min(asked ?? 0, LONGEST_ASKED))
}

/** Seconds for which nothing is sent to a place after so many failures in a row; 0: go on. */
export const holdAfter = (failures: number): number =>
  failures < FAILURES_BEFORE_HOLD ? 0 : Math.min(pauseAfter(failures - FAILURES_BEFORE_HOLD + 1), LONGEST_ASKED)

/** Retry-After in seconds or as a date, as seconds from now; null for what cannot be read. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000)
}
