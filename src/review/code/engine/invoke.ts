// Enters functions, methods and constructors that are defined in the same piece of code.

import type { Routine } from '../tree.ts'
import type { Call } from './calls.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { read } from './expressions.ts'
import { store } from './members.ts'
import { castTo } from './operators.ts'
import { flowsOf } from './outcomes.ts'
import type { Given } from './places.ts'
import { type ClassFacts, isOpen, type Reading } from './reading.ts'
import { type Outcome, recall, remembering } from './recall.ts'
import { runBody } from './statements.ts'
import { allFlows, type Closure, join, nothing, put, stepped, type Value } from './value.ts'

/** A method of a class of this piece of code, its own or inherited. */
export function methodOf(reading: Reading, facts: ClassFacts | undefined, name: string): Closure | null {
  for (let at = facts, depth = 0; at && depth < 5; at = reading.classes.get(at.parent ?? ''), depth++) {
    const routine = at.methods.get(name)
    if (routine) return { routine, environment: at.environment, self: { ...nothing, owner: at.name } }
  }
  return null
}

/** An instance of a class of this piece of code, after its constructor. */
export function construct(
  reading: Reading,
  facts: ClassFacts,
  given: readonly Given[],
  environment: Environment,
  call: Call,
): Value {
  const fresh: Value = { ...nothing, owner: facts.name, paths: [facts.name], items: new Map() }
  const routine = ['constructor', '__init__', '__construct', facts.name]
    .map((name) => facts.methods.get(name))
    .find(Boolean)
  if (!routine || !isOpen(reading, routine)) return { ...fresh, flows: flowsOf(given.map(({ value }) => value)) }
  const closure = { routine, environment: facts.environment, self: fresh }
  const self = enter(reading, closure, fresh, given, environment).self ?? fresh
  return self.owner ? self : { ...fresh, flows: allFlows(call.callee.k === 'name' ? self : nothing) }
}

const firstName = ({ parameters: [first] }: Routine) => (first?.target.k === 'name' ? first.target.name : '')

/** The object of a method as it is at its end; some languages name it as the first parameter. */
export const selfAfter = ({ names }: Pick<Environment, 'names'>, routine: Routine): Value | undefined =>
  names.get(routine.receiver ?? (['self', 'cls'].includes(firstName(routine)) ? firstName(routine) : 'this'))

/** What a function of this piece of code returns for these arguments. */
export function invoke(
  reading: Reading,
  closure: Closure,
  receiver: Value | null,
  given: readonly Given[],
  environment: Environment,
  call: Call | null,
): Value {
  const self = closure.self ? { ...(receiver ?? closure.self), owner: closure.self.owner } : receiver
  const { returns, self: after } = enter(reading, closure, self, given, environment)
  if (call?.callee.k === 'member' && call.callee.object.k === 'name' && closure.self && after && after !== self)
    store(reading, call.callee.object, after, environment)
  if (!call) return returns
  const { line, column } = call.at.range().start
  return { ...returns, flows: stepped(returns.flows, line, column) }
}

/** Runs the body of a function with its parameters bound. What it checks stays checked where it returned. */
function enter(
  reading: Reading,
  closure: Closure,
  self: Value | null,
  given: readonly Given[],
  environment: Environment,
): Outcome {
  const outcome =
    recall(reading, closure, self, given, environment.guards) ??
    remembering(reading, closure, self, given, environment.guards, () =>
      run(reading, closure, self, given, environment.guards),
    )
  if (outcome.guards) environment.guards = outcome.guards
  return outcome
}

function run(
  reading: Reading,
  { routine, environment }: Closure,
  self: Value | null,
  given: readonly Given[],
  guards: Environment['guards'],
): Outcome {
  const inner = openEnvironment(environment, guards)
  if (self) inner.names.set('this', self)
  if (self && routine.receiver) inner.names.set(routine.receiver, self)
  const isBound = self !== null && ['self', 'cls'].includes(firstName(routine))
  routine.parameters.forEach((parameter, index) => {
    const place = isBound ? index - 1 : index
    const value = place < 0 ? self : taken(parameter, place, given)
    const fallback = value === null && parameter.otherwise ? read(reading, parameter.otherwise, inner) : nothing
    const type = parameter.type
    const typed = castTo(type ?? '', value ?? fallback)
    store(
      reading,
      parameter.target,
      type && !typed.paths.includes(type) ? { ...typed, paths: [type, ...typed.paths].slice(0, 4) } : typed,
      inner,
    )
  })
  reading.entered.add(routine)
  reading.frames.push({ routine, returns: null, guards: null, leaves: [] })
  runBody(reading, routine.body(), inner)
  const frame = reading.frames.pop()
  return { returns: frame?.returns ?? nothing, self: selfAfter(inner, routine), guards: frame?.guards ?? null }
}

/** What a parameter is given, one value or several. */
function taken(parameter: Routine['parameters'][number], place: number, given: readonly Given[]): Value | null {
  if (parameter.takes === 'names') return othersNamed(given)
  const left = given.filter(({ argument }) => !argument.name).slice(place)
  if (parameter.takes !== 'rest' || left.length < 2) return bound(parameter, place, given)
  return left.reduce<Value>((all, { value }) => put(all, null, value), { ...nothing, items: new Map(), length: 0 })
}

/** What was given by name, or spread out of a map. */
function othersNamed(given: readonly Given[]): Value {
  let all: Value = { ...nothing, items: new Map() }
  for (const { argument, value } of given) {
    if (argument.name) all = put(all, argument.name, value)
    else if (argument.spread) all = { ...all, rest: join(all.rest ?? nothing, value) }
  }
  return all
}

function bound(parameter: Routine['parameters'][number], place: number, given: readonly Given[]): Value | null {
  const name = parameter.target.k === 'name' ? parameter.target.name.replace(/^\$/, '') : ''
  const named = given.find(({ argument }) => argument.name === name)
  return named?.value ?? given.filter(({ argument }) => !argument.name)[place]?.value ?? null
}
