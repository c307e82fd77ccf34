// Reuses the result of an earlier call of a function if everything that it depends on is unchanged.

import type { Routine } from '../tree.ts'
import type { Environment } from './environment.ts'
import { absorb, beginEntry, type Entry, entryOf } from './ledger.ts'
import type { Given } from './places.ts'
import type { Frame, Reading } from './reading.ts'
import { sameFlowSets, sameValue } from './same.ts'
import type { Closure, Value } from './value.ts'

/** What a function of this piece of code returned, and the state of its object after the call. */
export type Outcome = { returns: Value; self: Value | undefined; guards: Environment['guards'] | null }

type Recalled = Entry & {
  environment: Environment
  self: Value | null
  given: readonly Given[]
  guards: Environment['guards']
  outcome: Outcome
  after: { holder: Environment; name: string; value: Value }[]
  /** number of expressions that were read for it */
  cost: number
  depth: number
  classes: number
  /** those of the functions in `asked` that were already open around it */
  around: ReadonlySet<Routine>
}

export type Memory = Map<Routine, Recalled[]>

/** The most calls that are remembered for one function; the oldest is dropped first. */
const MOST = 8

/** How deep calls within calls are followed. */
export const DEEPEST = 6

/** Returns the outcome of an equal earlier call and repeats its effects; null if the call has to be read. */
export function recall(
  reading: Reading,
  closure: Closure,
  self: Value | null,
  given: readonly Given[],
  guards: Environment['guards'],
): Outcome | null {
  const known = reading.memory.get(closure.routine)
  if (!known) return null
  for (const each of known) {
    if (each.environment !== closure.environment || !isAsBefore(reading, each, self, given, guards)) continue
    reading.budget -= each.cost
    for (const { holder, name, value } of each.after) holder.names.set(name, value)
    const around = entryOf(reading.ledger)
    if (around) absorb(around, shifted(each, reading.frames.length - each.depth))
    const { entries } = reading.ledger
    reading.ledger.entries = []
    for (const effect of each.effects) effect()
    reading.ledger.entries = entries
    const { returns, self: after, guards: checked } = each.outcome
    const isUntouched = after === each.self
    return { returns: { ...returns }, self: isUntouched ? (self ?? undefined) : after && { ...after }, guards: checked }
  }
  return null
}

const shifted = (entry: Recalled, by: number): Entry =>
  by === 0 ? entry : { ...entry, deepest: entry.deepest === 0 ? 0 : entry.deepest + by }

function isAsBefore(
  { frames, budget, classCount }: Reading,
  each: Recalled,
  self: Value | null,
  given: readonly Given[],
  guards: Environment['guards'],
): boolean {
  if (each.classes !== classCount || budget <= each.cost || each.given.length !== given.length) return false
  const deeper = frames.length - each.depth
  if (deeper !== 0 && (each.isBound || each.deepest + deeper >= DEEPEST)) return false
  for (const [at, { argument, value }] of given.entries()) {
    const before = each.given[at]
    if (before?.argument.name !== argument.name || before?.argument.spread !== argument.spread) return false
    if (!sameValue(before?.value, value)) return false
  }
  if (!sameValue(each.self ?? undefined, self ?? undefined) || !sameFlowSets(each.guards, guards)) return false
  for (const routine of each.asked) if (each.around.has(routine) !== isWithin(frames, routine)) return false
  for (const [outside, names] of each.reads)
    for (const [name, value] of names) if (!sameValue(value, foundIn(outside, name))) return false
  return true
}

const isWithin = (frames: readonly Frame[], routine: Routine) => frames.some((frame) => frame.routine === routine)

function foundIn(environment: Environment, name: string): Value | undefined {
  for (let at: Environment | null = environment; at; at = at.outer) {
    const value = at.names.get(name)
    if (value) return value
  }
  return undefined
}

/** Reads a call and remembers its outcome. */
export function remembering(
  reading: Reading,
  closure: Closure,
  self: Value | null,
  given: readonly Given[],
  guards: Environment['guards'],
  run: () => Outcome,
): Outcome {
  const { ledger, frames, memory } = reading
  const { routine, environment } = closure
  const before = reading.budget
  const classes = reading.classCount
  const entry = beginEntry(ledger)
  const outcome = run()
  ledger.entries.pop()
  const around = entryOf(ledger)
  if (around) {
    if (entry.isLost) around.isLost = true
    else absorb(around, entry)
  }
  if (entry.isLost || reading.budget <= 0 || classes !== reading.classCount) return outcome
  const recalled: Recalled = {
    ...entry,
    environment,
    self,
    given: given.map(({ argument: { name, spread, value: expression }, value }) => ({
      argument: {
        value: expression,
        ...(name === undefined ? {} : { name }),
        ...(spread === undefined ? {} : { spread }),
      },
      value,
    })),
    guards,
    outcome,
    after: [...entry.writes].flatMap(([holder, names]) =>
      [...names].flatMap((name) => {
        const value = holder.names.get(name)
        return value ? [{ holder, name, value }] : []
      }),
    ),
    cost: before - reading.budget,
    depth: frames.length,
    classes,
    around: new Set([...entry.asked].filter((each) => isWithin(frames, each))),
  }
  const known = memory.get(routine)
  if (!known) memory.set(routine, [recalled])
  else {
    known.unshift(recalled)
    if (known.length > MOST) known.pop()
  }
  return outcome
}
