// Sends requests at a steady rate, whether or not earlier ones were answered, and records how long they took.

import { setTimeout as delay } from 'node:timers/promises'

type Call = () => Promise<boolean>

/**
 * `times` are the milliseconds from when each request was due until its answer was complete; `failures` counts calls
 * that returned false or threw.
 */
export type Steady = { times: number[]; failures: number }

/** Makes `rate` calls a second for `duration` milliseconds, and waits for the last. */
export async function steady(call: Call, rate: number, duration: number): Promise<Steady> {
  const steadied: Steady = { times: [], failures: 0 }
  const began = performance.now()
  const open: Promise<void>[] = []
  const one = async (due: number) => {
    const isFine = await call().catch(() => false)
    steadied.times.push(performance.now() - due)
    if (!isFine) steadied.failures += 1
  }
  for (let sent = 0; (sent * 1000) / rate < duration; sent += 1) {
    const due = began + (sent * 1000) / rate
    const early = due - performance.now()
    if (early > 1) await delay(early)
    open.push(one(due))
  }
  await Promise.all(open)
  return steadied
}

/** The number of calls a second that complete while `callers` are always in progress. */
export async function mostOf(call: Call, callers: number, duration: number): Promise<number> {
  const until = performance.now() + duration
  let answered = 0
  const keepOn = async () => {
    while (performance.now() < until) {
      await call()
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, keepOn))
  return (answered * 1000) / duration
}

/** A POST of JSON; resolves to whether it was answered with 200 and no errors. */
export const posting =
  (url: string, headers: Record<string, string>, bodyOf: () => string): Call =>
  async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: bodyOf(),
    })
    return !(await response.text()).includes('"errors":') && response.status === 200
  }
