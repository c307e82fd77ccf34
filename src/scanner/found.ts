// What checks of the same flaw share: places where it is proved already, so that slower methods can be skipped.

import type { Context } from './check.ts'
import type { Operation, Point } from './types.ts'

const known = new WeakMap<Context, Set<string>>()

const keyOf = (cwe: number, operation: Operation, point: Point) =>
  JSON.stringify([cwe, operation.key, point.place, point.name])

/** Records that the vulnerability is proved there. */
export function settle(cwe: number, operation: Operation, point: Point, context: Context): void {
  const set = known.get(context) ?? new Set<string>()
  known.set(context, set.add(keyOf(cwe, operation, point)))
}

export const isSettled = (cwe: number, operation: Operation, point: Point, context: Context): boolean =>
  known.get(context)?.has(keyOf(cwe, operation, point)) ?? false
