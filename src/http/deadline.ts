// Limits how long a caller waits for an operation.

import { ApplicationError } from '../core/errors.ts'

/**
 * The result of `work`, or TIMEOUT after so many milliseconds, when its signal aborts whatever waits for its turn or for other hosts. A change
 * that is under way is completed, and a retry with the same Idempotency-Key gets its answer.
 */
export async function withinDeadline<T>(work: (signal: AbortSignal) => Promise<T>, milliseconds: number): Promise<T> {
  const ending = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const late = new ApplicationError('TIMEOUT', `The request took longer than ${milliseconds} ms`)
      reject(late)
      ending.abort(late)
    }, milliseconds)
  })
  try {
    return await Promise.race([work(ending.signal), deadline])
  } finally {
    clearTimeout(timer)
  }
}
