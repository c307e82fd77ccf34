// How fast and how much is sent: concurrent requests, requests a second, budgets, and checks that need the target to themselves.

import { setTimeout as sleep } from 'node:timers/promises'
import { ScanStopped } from './outcome.ts'
import type { Budget } from './types.ts'

export type Pace = {
  /** Runs one request when its turn comes; rejects with ScanStopped if a budget is spent or the scan was stopped. */
  run: <T>(work: () => Promise<T>, isAlone?: boolean) => Promise<T>
  /** Ends the scan: waiting requests are rejected, and no more are sent. The first reason stays. */
  stop: (why: ScanStopped) => void
  /** Halves the rate from now on, and sends nothing for so many milliseconds. */
  slowDown: (pause: number) => void
  requests: () => number
  stopped: () => ScanStopped | null
  /** aborted when the scan is stopped, to end requests in progress */
  signal: AbortSignal
  close: () => void
}

/** The lowest rate to which a target can slow the scan, in requests per second. */
const SLOWEST = 0.5

export function openPace(budget: Budget, outer?: AbortSignal): Pace {
  const controller = new AbortController()
  let stopped: ScanStopped | null = null
  let requests = 0
  let active = 0
  let isHeld = false
  const shortest = 1000 / budget.rate
  let gap = shortest
  let nextAt = 0
  const waiting: { isAlone: boolean; go: () => void; fail: (why: ScanStopped) => void }[] = []

  const stop = (why: ScanStopped) => {
    if (stopped !== null) return
    stopped = why
    controller.abort()
    for (const one of waiting.splice(0)) one.fail(why)
  }
  const cancel = () => stop(new ScanStopped('CANCELED'))
  if (outer?.aborted) cancel()
  outer?.addEventListener('abort', cancel, { once: true })
  const timer = setTimeout(() => stop(new ScanStopped('TIME_SPENT')), budget.time)
  timer.unref()

  const isFree = (isAlone: boolean) => !isHeld && active < budget.concurrency && !(isAlone && active > 0)
  const take = (isAlone: boolean) => {
    active += 1
    isHeld = isAlone
  }
  const advance = () => {
    for (;;) {
      const [first] = waiting
      if (!first || !isFree(first.isAlone)) return
      waiting.shift()
      take(first.isAlone)
      first.go()
    }
  }

  const turn = (isAlone: boolean) =>
    new Promise<void>((go, fail) => {
      waiting.push({ isAlone, go, fail })
      advance()
    })

  return {
    async run(work, isAlone = false) {
      if (stopped) throw stopped
      if (waiting.length === 0 && isFree(isAlone)) take(isAlone)
      else await turn(isAlone)
      try {
        if (requests >= budget.requests) stop(new ScanStopped('REQUESTS_SPENT'))
        if (stopped) throw stopped
        // taken before the wait, because others that wait could take the same last one
        requests += 1
        const now = performance.now()
        const wait = nextAt - now
        nextAt = Math.max(now, nextAt) + gap
        if (wait > 1) await sleep(wait, undefined, { signal: controller.signal }).catch(() => {})
        if (stopped) {
          requests -= 1
          throw stopped
        }
        gap = Math.max(shortest, gap * 0.98)
        return await work()
      } catch (error) {
        throw stopped ?? error
      } finally {
        active -= 1
        if (isAlone) isHeld = false
        advance()
      }
    },
    stop,
    slowDown(pause) {
      gap = Math.min(gap * 2, 1000 / SLOWEST)
      nextAt = Math.max(nextAt, performance.now() + pause)
    },
    requests: () => requests,
    stopped: () => stopped,
    signal: controller.signal,
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', cancel)
    },
  }
}
