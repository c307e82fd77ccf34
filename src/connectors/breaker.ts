// A circuit breaker: stops calling a vendor after several failures in a row, lets one call through after a while, and closes on success.

import type { Clock } from './clock.ts'

export type Breaker = {
  /** Milliseconds for which no call may be made; 0: it may, and its end must be reported by one of the others. */
  ask(): number
  succeeded(): void
  failed(): void
  /** The call ended without showing whether the vendor works. */
  ended(): void
  isClosed(): boolean
}

/** Failures in a row that open it. */
const MOST_FAILURES = 5
/** Milliseconds: the first pause, which doubles with each trial that fails, and the longest. */
const FIRST_PAUSE = 30_000
const LONGEST_PAUSE = 300_000

export function openBreaker(clock: Clock): Breaker {
  let failures = 0
  let pause = FIRST_PAUSE
  let openUntil: number | null = null
  let isTrying = false

  return {
    ask() {
      if (openUntil === null) return 0
      const left = openUntil - clock.now()
      if (left > 0) return left
      if (isTrying) return 1_000
      isTrying = true
      return 0
    },
    succeeded() {
      failures = 0
      pause = FIRST_PAUSE
      openUntil = null
      isTrying = false
    },
    failed() {
      failures += 1
      if (openUntil !== null && isTrying) {
        pause = Math.min(LONGEST_PAUSE, pause * 2)
        openUntil = clock.now() + pause
      } else if (openUntil === null && failures >= MOST_FAILURES) {
        openUntil = clock.now() + pause
      }
      isTrying = false
    },
    ended() {
      isTrying = false
    },
    isClosed: () => failures === 0 && openUntil === null,
  }
}
