// Asks a store again that failed in a way that may pass.

import { setTimeout as delay } from 'node:timers/promises'
import { ApplicationError } from '../errors.ts'

/** milliseconds before it is asked again, each time */
const PAUSES = [200, 1_000]

/** The result of `work`, which is done up to three times while it fails with a retryable error. */
export async function untilItPasses<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApplicationError && error.retryable)) throw error
    }
    await delay(pause)
  }
  return work()
}
