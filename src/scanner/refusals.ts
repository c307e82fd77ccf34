// Responses with which the target refuses for a while (429, 503 with Retry-After): of the whole target, or of one operation with a limit.

import { headerOf } from './http.ts'
import { ScanStopped } from './outcome.ts'
import type { Pace } from './pace.ts'
import type { HttpAnswer, Operation } from './types.ts'

/** Refusals in a row. */
const MOST_REFUSALS = 12
/** milliseconds */
const LONGEST_PAUSE = 10_000
/** Refusals by one operation, while others respond, after which it is no longer called, because it has a rate limit. */
const MOST_OWN_REFUSALS = 4
/** Responses of other operations that show that only one operation refuses. */
const OTHERS_ANSWERED = 3

type Refusals = {
  /**
   * Counts a response, and slows the scan down where the whole target refuses. Returns whether the request should be repeated after that pause.
   * Throws ScanStopped if the target has refused too often.
   */
  take: (answer: HttpAnswer, operation: Operation | undefined, isAlone: boolean) => boolean
  /** whether the operation of that key has refused */
  isLimited: (operation: string) => boolean
  /** whether it has refused so often that it is no longer called */
  isGivenUp: (operation: string) => boolean
}

export function openRefusals(pace: Pace): Refusals {
  const own = new Map<string, { count: number; answersBefore: number }>()
  /** the operation of the last refusal, and the number of responses until then */
  let last: { key: string; answers: number } | null = null
  let answers = 0
  let inARow = 0

  const answered = (operation: Operation | undefined) => {
    answers += 1
    const known = operation && own.get(operation.key)
    // from then on the operation is known to have a limit, which does not slow others
    if (known) known.count = 0
  }

  /** Counts a refusal. Returns whether only this operation refuses, while the rest of the target responds. */
  const isOwnLimit = (operation: Operation | undefined): boolean => {
    if (!operation) return false
    const known = own.get(operation.key) ?? { count: 0, answersBefore: answers }
    known.count += 1
    own.set(operation.key, known)
    const isShared = last !== null && last.key !== operation.key && answers - last.answers < OTHERS_ANSWERED
    last = { key: operation.key, answers }
    return !isShared && answers - known.answersBefore >= OTHERS_ANSWERED
  }

  return {
    take(answer, operation, isAlone) {
      const after = headerOf(answer, 'retry-after')
      const isRefused = answer.status === 429 || (answer.status === 503 && after !== '')
      if (!isRefused) answered(operation)
      if (!isRefused || isAlone) {
        inARow = 0
        return false
      }
      if (isOwnLimit(operation)) return false
      inARow += 1
      if (inARow > MOST_REFUSALS) pace.stop(new ScanStopped('TARGET_THROTTLES'))
      const asked = Number(after)
      pace.slowDown(Math.min(LONGEST_PAUSE, Number.isFinite(asked) && asked > 0 ? asked * 1000 : 1_000))
      const stopped = pace.stopped()
      if (stopped) throw stopped
      return true
    },
    isLimited: (operation) => own.has(operation),
    isGivenUp(operation) {
      const known = own.get(operation)
      return known !== undefined && known.count >= MOST_OWN_REFUSALS && answers - known.answersBefore >= OTHERS_ANSWERED
    },
  }
}
