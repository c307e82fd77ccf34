// Keeps tests of days away from midnight, so that what they create and what they query falls on the same day.

import { setTimeout as delay } from 'node:timers/promises'

const DAY = 86_400_000
/** in milliseconds; longer than any such test takes, even on a busy machine */
const LONGEST = 90_000

/** Waits for the next day if the current one, in UTC or local time, is nearly over. */
export async function awayFromMidnight(): Promise<void> {
  const now = Date.now()
  const left = Math.min(DAY - (now % DAY), new Date(now).setHours(24, 0, 0, 0) - now)
  if (left < LONGEST) await delay(left + 10)
}
