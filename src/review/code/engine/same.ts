// Whether two values, or two sets of checks, are equal for everything that the engine looks at.

import type { Environment } from './environment.ts'
import type { Closure, Flow, Step, Value } from './value.ts'

/** Larger collections are taken to differ, without comparing them. */
const MOST = 64
const DEEPEST = 6

export function sameValue(one: Value | undefined, other: Value | undefined, depth = 0): boolean {
  if (one === other) return true
  if (!one || !other || depth > DEEPEST) return false
  return (
    one.constant === other.constant &&
    one.length === other.length &&
    one.owner === other.owner &&
    one.prefix === other.prefix &&
    one.opening === other.opening &&
    sameLists(one.paths, other.paths) &&
    sameFlows(one.flows, other.flows) &&
    sameClosure(one.closure, other.closure, depth) &&
    sameValue(one.rest ?? undefined, other.rest ?? undefined, depth + 1) &&
    sameItems(one.items, other.items, depth)
  )
}

const sameLists = (one: readonly string[], other: readonly string[]) =>
  one === other || (one.length === other.length && one.every((each, at) => each === other[at]))

const sameFlows = (one: readonly Flow[], other: readonly Flow[]) =>
  one === other || (one.length === other.length && one.every((flow, at) => sameFlow(flow, other[at])))

const sameFlow = (one: Flow, other: Flow | undefined): boolean =>
  one === other ||
  (other !== undefined &&
    one.origin === other.origin &&
    one.label === other.label &&
    one.whole === other.whole &&
    one.parent === other.parent &&
    sameSets(one.cleaned, other.cleaned) &&
    sameSteps(one.last, other.last))

function sameSteps(one: Step, other: Step): boolean {
  let [left, right]: [Step | null, Step | null] = [one, other]
  while (left !== right) {
    if (!left || !right || left.line !== right.line || left.column !== right.column) return false
    left = left.before
    right = right.before
  }
  return true
}

const sameSets = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one === other || (one.size === other.size && [...one].every((each) => other.has(each)))

function sameClosure(one: Closure | null, other: Closure | null, depth: number): boolean {
  if (one === other) return true
  return (
    one !== null &&
    other !== null &&
    one.routine === other.routine &&
    one.environment === other.environment &&
    sameValue(one.self ?? undefined, other.self ?? undefined, depth + 1)
  )
}

/** The order counts, because lists of flows are built in it. */
function sameItems(one: Value['items'], other: Value['items'], depth: number): boolean {
  if (one === other) return true
  if (!one || !other || one.size !== other.size || one.size > MOST) return false
  const others = other.entries()
  for (const [key, item] of one) {
    const next = others.next().value
    if (!next || next[0] !== key || !sameValue(item, next[1], depth + 1)) return false
  }
  return true
}

/** Compares what the origins of flows were checked against. */
export function sameFlowSets(one: Environment['guards'], other: Environment['guards']): boolean {
  if (one === other) return true
  if (one.size !== other.size) return false
  for (const [origin, kinds] of one) {
    const found = other.get(origin)
    if (!found || !sameSets(kinds, found)) return false
  }
  return true
}
