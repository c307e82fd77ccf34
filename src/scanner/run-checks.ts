// Runs checks in order, several at a time; a fault in one check ends that probe only.

import type { Check, Context, OperationCheck, PointCheck, Sighting, TargetCheck } from './check.ts'
import { ScanStopped } from './outcome.ts'
import { routeOf } from './routes.ts'
import type { Telling } from './telling.ts'
import type { Operation } from './types.ts'

type Work = {
  checks: readonly Check[]
  context: Context
  operations: () => readonly Operation[]
  /** called when nothing needs to be remembered of an operation any more */
  forget: (operation: Operation) => void
  /** called when a check has finished with an operation */
  looked: (check: Check, operation: Operation) => void
  telling: Telling
  concurrency: number
}

/** The most milliseconds for the values of one operation, so that a slow one does not hold up the rest. */
const OPERATION_LIMIT = 240_000

/** Runs target checks, then for each operation its checks and those of its points, then the last target checks. */
export async function runChecks(work: Work): Promise<void> {
  const { checks, context, operations, forget, looked, telling, concurrency } = work
  const ofTarget = checks.filter((check): check is TargetCheck => check.kind === 'target')
  const ofOperations = checks.filter((check): check is OperationCheck => check.kind === 'operation')
  const ofPoints = checks.filter((check): check is PointCheck => check.kind === 'point')

  const first = ofTarget.filter(({ isLast }) => !isLast)
  telling.enter('target-checks', first.length)
  await inTurns(first, concurrency, async (check) => {
    await tell(check, check.probe(context), context)
    for (const operation of operations()) looked(check, operation)
    telling.advance()
  })
  const all = operations()
  const proved = new Set<string>()
  telling.enter('checks', all.length)
  await inTurns(all, concurrency, async (operation) => {
    for (const check of ofOperations) {
      if (check.accepts && !check.accepts(operation, context)) continue
      await tell(check, check.probe(operation, context), context)
      looked(check, operation)
    }
    if (ofPoints.length > 0) await probePoints(operation, ofPoints, context, proved)
    forget(operation)
    telling.advance()
  })
  const last = ofTarget.filter(({ isLast }) => isLast)
  telling.enter('last-checks', last.length)
  for (const check of last) {
    await tell(check, check.probe(context), context)
    telling.advance()
  }
}

/** `proved`: what was found in parameters that select the page, which is not tested again on each page. */
async function probePoints(
  operation: Operation,
  checks: readonly PointCheck[],
  context: Context,
  proved: Set<string>,
): Promise<void> {
  const baseline = (await context.baseline(operation)) ?? (await context.baseline(operation))
  if (baseline === null) return
  const began = performance.now()
  for (const point of context.pointsOf(operation)) {
    const route = routeOf(operation, point, context.operations)
    for (const check of checks) {
      if (route !== null && proved.has(`${check.id} ${route}`)) continue
      if (performance.now() - began > OPERATION_LIMIT) return
      if (check.accepts && !check.accepts(point, operation)) continue
      const sighting = await guarded(() => check.probe(point, operation, context))
      if (!sighting) continue
      if (route !== null) proved.add(`${check.id} ${route}`)
      context.report(check, { operation, point, ...sighting })
    }
  }
}

async function tell(check: Check, sightings: AsyncIterable<Sighting>, context: Context): Promise<void> {
  await guarded(async () => {
    for await (const sighting of sightings) context.report(check, sighting)
    return null
  })
}

async function guarded<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ScanStopped) throw error
    if (error instanceof Error && error.name === 'SendFailed') return null
    throw error
  }
}

/** Processes all items in order, so many at a time; the first error ends it. */
async function inTurns<T>(all: readonly T[], width: number, work: (one: T) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let at = next++; at < all.length; at = next++) {
      const one = all[at]
      if (one !== undefined) await work(one)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, all.length) }, lane))
}
