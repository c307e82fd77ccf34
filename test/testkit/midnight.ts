// Keeps tests of days away from midnight, so that what they create and what they ask for lies on the same day.

import { setTimeout as delay } from 'node:timers/promises'

const DAY = 86_400_000
/** milliseconds that no such test takes, on however busy a machine */
const LONGEST = 90_000

/** Before a test of days: waits for the next one where this one, of UTC or of here, is nearly over. */
export async function awayFromMidnight(): Promise<void> {
  const now = Date.now()
  const left = Math.min(DAY - (now % DAY), new Date(now).setHours(24, 0, 0, 0) - now)
  if (left < LONGEST) await delay(left + 10)
}
