// Keeps the calls made with one credential within the vendor's limits: a token bucket, a maximum at a time, and the pauses it asks for.

import type { Clock } from './clock.ts'
import type { RateRow } from './rates.ts'

/** The next call may go only after so many milliseconds, which is longer than its caller waits. */
export class MustWait extends Error {
  readonly milliseconds: number

  constructor(milliseconds: number) {
    super(`The next call may go in ${milliseconds} ms`)
    this.milliseconds = milliseconds
  }
}

export type Limiter = {
  /** Resolves when a call may go, with what is to be called once it ended; MustWait when that takes more than `most` milliseconds. */
  enter(most: number): Promise<() => void>
  /** Nothing goes for so many milliseconds. */
  pause(milliseconds: number): void
  isIdle(): boolean
}

/** Calls that may stand in line for one credential. */
const LONGEST_LINE = 1_000

/**
 * A quarter of a window's requests may go at once and three quarters flow in over the window, so that no window of that length,
 * wherever it starts, has more than the vendor allows. Counts this process alone: several nodes with one credential rely on the
 * vendor's own "wait", which pauses each of them as it meets it.
 */
export function openLimiter(row: Pick<RateRow, 'requests' | 'per' | 'concurrency'>, clock: Clock): Limiter {
  const capacity = Math.max(1, Math.floor(row.requests / 4))
  const perMillisecond = Math.max(row.requests - capacity, 1) / row.per
  let tokens = capacity
  let filledAt = clock.now()
  let pausedUntil = 0
  let running = 0
  const line: (() => void)[] = []

  const fill = () => {
    const now = clock.now()
    tokens = Math.min(capacity, tokens + Math.max(0, now - filledAt) * perMillisecond)
    filledAt = now
  }

  const leave = () => {
    const next = line.shift()
    if (next) next()
    else running -= 1
  }

  const stand = async () => {
    if (running < row.concurrency) running += 1
    else if (line.length < LONGEST_LINE) await new Promise<void>((resolve) => void line.push(resolve))
    else throw new MustWait(row.per)
  }

  /** Takes a token, which may be one to come: what it answers with is the wait for it. */
  const reserve = (most: number): number => {
    fill()
    const wait = tokens >= 1 ? 0 : (1 - tokens) / perMillisecond
    const pause = Math.max(0, pausedUntil - clock.now())
    if (Math.max(wait, pause) > most) throw new MustWait(Math.ceil(Math.max(wait, pause)))
    tokens -= 1
    return Math.max(wait, pause)
  }

  return {
    async enter(most) {
      const deadline = clock.now() + most
      await stand()
      try {
        let wait = reserve(deadline - clock.now())
        while (wait > 0) {
          await clock.sleep(wait)
          wait = pausedUntil - clock.now()
          if (wait > 0 && clock.now() + wait > deadline) throw new MustWait(wait)
        }
      } catch (error) {
        leave()
        throw error
      }
      let isOver = false
      return () => {
        if (!isOver) leave()
        isOver = true
      }
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds)
    },
    isIdle() {
      fill()
      return running === 0 && tokens >= capacity && pausedUntil <= clock.now()
    },
  }
}
