// Before a branch is judged: waiting for the imports that were sent earlier, because what they bring counts.

import { setTimeout as delay } from 'node:timers/promises'
import { ApplicationError } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { findUnended, type Unended } from '../imports/service.ts'

/** Milliseconds between two looks. */
const PAUSE = 200

/** Waits at most 20 s, and half of the time that a request has. */
const LONGEST = 20_000

/** Resolves when those of the imports have ended that have been sent by now; throws FAILED_PRECONDITION if they take too long. */
export async function untilImported(context: Pick<Context, 'db' | 'config'>, imports: Unended): Promise<void> {
  const until = performance.now() + Math.min(LONGEST, context.config.requestTimeout / 2)
  let waiting = await findUnended(context.db, imports)
  while (waiting.length > 0) {
    if (performance.now() >= until) {
      throw new ApplicationError(
        'FAILED_PRECONDITION',
        `Import ${waiting[0]} has not ended, and the findings of its report would count: ask again once it has`,
        { retryable: true },
      )
    }
    await delay(PAUSE)
    const unended = new Set(await findUnended(context.db, imports))
    waiting = waiting.filter((id) => unended.has(id))
  }
}
