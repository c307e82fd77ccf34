// How long a caller waits at most for an operation.

import { ApplicationError } from '../core/errors.ts'

/**
 * What `work` gives, or TIMEOUT after so many milliseconds. The work is not cut off: a change that was under way is finished, and
 * a retry with the same Idempotency-Key gets its answer.
 */
export async function withinDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    const late = () => reject(new ApplicationError('TIMEOUT', `The request took longer than ${milliseconds} ms`))
    timer = setTimeout(late, milliseconds)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
