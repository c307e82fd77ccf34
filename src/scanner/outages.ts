// Handles a target that stops responding: waits for it, and leaves the operation that silenced it alone from then on.

import { setTimeout as sleep } from 'node:timers/promises'
import { ScanStopped } from './outcome.ts'
import type { Pace } from './pace.ts'
import type { HttpRequest, Operation } from './types.ts'

export type Outage = { operation: Operation; request: HttpRequest; ms: number }

type Watch = {
  /**
   * Handles a request without a response. Resolves when the target responds again, or the scan ends: to true if the target had been silent
   * for a while, possibly because of another request.
   */
  failed: (request: HttpRequest, operation: Operation | undefined, startedAt: number) => Promise<boolean>
  answered: (operation: Operation | undefined, ms: number) => void
  /** The timeout in milliseconds, given the usual one: shorter for an operation that has left requests without a response. */
  patienceFor: (operation: Operation | undefined, usual: number) => number
  /** whether the operation's timeout is shorter than usual */
  isHurried: (operation: string) => boolean
  wasSilent: (operation: string) => boolean
  isWaiting: () => boolean
  /** resolved while the target responds */
  ready: () => Promise<void>
  isGivenUp: (operation: string) => boolean
}

/** Consecutive requests without a response after which the scan checks whether the target is there. */
const MOST_SILENCE = 3
/** Milliseconds between these checks; somewhat more than two minutes in total. */
const PATIENCE = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000]
/** The same for a target that has never responded, which is not worth a long wait. */
const FIRST_PATIENCE = PATIENCE.slice(0, 5)
/** How often the target may stop responding for a while. */
const MOST_OUTAGES = 12
const MOST_OPERATION_FAILURES = 5
/** The number of probes without a response for which an operation that otherwise responds keeps the usual timeout. */
const MOST_SILENT_PROBES = 2
/** The shortest timeout of such an operation, in milliseconds. */
const SHORTEST_PATIENCE = 3_000

export function openWatch(pace: Pace, isThere: () => Promise<boolean>, onOutage: (outage: Outage) => void): Watch {
  const failures = new Map<string, number>()
  let streak: { request: HttpRequest; operation: Operation | undefined; startedAt: number }[] = []
  /** operation → its number of responses */
  const answers = new Map<string, number>()
  /** milliseconds */
  const slowestAnswers = new Map<string, number>()
  /** operation → its number of requests without a response */
  const silences = new Map<string, number>()
  let hasAnswered = false
  let outages = 0
  let rescue: Promise<boolean> | null = null

  const wait = async (): Promise<boolean> => {
    for (const pause of hasAnswered ? PATIENCE : FIRST_PATIENCE) {
      if (pace.stopped()) return false
      if (pause > 0) await sleep(pause, undefined, { signal: pace.signal }).catch(() => {})
      if (!(await isThere())) continue
      hasAnswered = true
      if (pause > 0) blame()
      streak = []
      return pause > 0
    }
    pace.stop(new ScanStopped(hasAnswered ? 'TARGET_LOST' : 'TARGET_UNREACHABLE'))
    return false
  }

  /** Of the operations that failed, the one with the fewest responses before; of several the one that was sent first. */
  const blame = () => {
    outages += 1
    if (outages > MOST_OUTAGES) pace.stop(new ScanStopped('TARGET_LOST', 'it stopped responding too often'))
    const known = (operation: Operation | undefined) => Math.min(answers.get(operation?.key ?? '') ?? 0, 3)
    const [first] = [...streak].sort((a, b) => known(a.operation) - known(b.operation) || a.startedAt - b.startedAt)
    for (const { operation } of streak) if (operation) failures.delete(operation.key)
    if (!first?.operation) return
    failures.set(first.operation.key, MOST_OPERATION_FAILURES)
    onOutage({ operation: first.operation, request: first.request, ms: performance.now() - first.startedAt })
  }

  const isHurried = (key: string): boolean =>
    (silences.get(key) ?? 0) >= (slowestAnswers.has(key) ? MOST_SILENT_PROBES : 1)

  return {
    async failed(request, operation, startedAt) {
      if (operation) {
        failures.set(operation.key, (failures.get(operation.key) ?? 0) + 1)
        silences.set(operation.key, (silences.get(operation.key) ?? 0) + 1)
      }
      streak.push({ request, operation, startedAt })
      if (streak.length > 100) streak.shift()
      if (streak.length < MOST_SILENCE && !rescue) return false
      rescue ??= wait().finally(() => {
        rescue = null
      })
      return rescue
    },
    answered(operation, ms) {
      hasAnswered = true
      if (!rescue) streak = []
      if (operation) slowestAnswers.set(operation.key, Math.max(ms, slowestAnswers.get(operation.key) ?? 0))
      if (operation) answers.set(operation.key, (answers.get(operation.key) ?? 0) + 1)
      if (operation && failures.has(operation.key) && !(failures.get(operation.key) === MOST_OPERATION_FAILURES))
        failures.delete(operation.key)
    },
    patienceFor(operation, usual) {
      if (operation === undefined) return usual
      const slowest = slowestAnswers.get(operation.key) ?? 0
      return isHurried(operation.key) ? Math.min(usual, Math.max(SHORTEST_PATIENCE, 2 * slowest)) : usual
    },
    isHurried,
    wasSilent: (operation) => silences.has(operation),
    isWaiting: () => rescue !== null,
    async ready() {
      await rescue
    },
    isGivenUp: (operation) => (failures.get(operation) ?? 0) >= MOST_OPERATION_FAILURES,
  }
}
