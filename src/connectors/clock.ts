// The clock that connectors use, so that tests of waiting need not wait.

import { setTimeout as delay } from 'node:timers/promises'

export type Clock = {
  /** milliseconds since 1970 */
  now: () => number
  sleep: (milliseconds: number) => Promise<void>
  /** from 0 to less than 1 */
  random: () => number
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (milliseconds) => delay(milliseconds),
  random: Math.random,
}
