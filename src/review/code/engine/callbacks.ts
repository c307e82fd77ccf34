// Calls the functions that are passed to a call or registered as event handlers, with what the collection holds or the event brings.

import type { Listener } from '../rules.ts'
import { assign, type Expression, expression, type Place, type Routine } from '../tree.ts'
import type { Callee } from './calls.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { invoke } from './invoke.ts'
import { flowsOf } from './outcomes.ts'
import type { Given } from './places.ts'
import { mayReach } from './reach.ts'
import { isOpen, type Reading, sourceAt } from './reading.ts'
import { allFlows, type Closure, called, cleanedOf, type Flow, flowing, nothing, unite, type Value } from './value.ts'

/** Functions that return what a callback returns for each element. */
const MAPPING = /^(?:map|flatMap|mapToObj|array_map|supplyAsync)$/

/** Calls that store something that is read later. */
const SETS = /\bset[A-Z]\w*\(/

/** Calls the callbacks among the arguments. Returns the flows of the result if a callback alone decides them, as for `map`. */
export function callBack(
  reading: Reading,
  { receiver, paths, name }: Callee,
  given: readonly Given[],
  environment: Environment,
  near: Place,
): readonly Flow[] | null {
  if (paths.includes('new Promise')) return resolved(reading, given[0]?.value.closure, environment, near)
  const event = given[0]?.value.constant
  const listener = reading.book.listeners
    .find(paths)
    .find(({ heard }) => heard === undefined || (typeof event === 'string' && heard.test(event)))
  const isMapping = MAPPING.test(name)
  let answered: readonly Flow[] | null = null
  for (const { value } of given) {
    const kinds = isMapping ? reading.book.sanitisers.find(namesOf(value)) : []
    const { closure } = value
    const isCalled =
      closure !== null &&
      isOpen(reading, closure.routine) &&
      (isMapping ||
        listener !== undefined ||
        SETS.test(closure.routine.text()) ||
        mayReach(reading.reaching, closure.routine))
    if (kinds.length === 0 && !isCalled) continue
    const others = flowsOf(given.filter((each) => each.value !== value).map((each) => each.value))
    const element = flowing(unite(receiver ? allFlows(receiver) : [], others))
    if (kinds.length > 0) answered = cleanedOf(element.flows, kinds)
    if (!isCalled) continue
    const returned = handOver(reading, closure, listener ?? element, environment, near)
    if (isMapping) answered = allFlows(returned)
  }
  return answered
}

/** What a promise is resolved with by the function passed to its constructor. */
function resolved(
  reading: Reading,
  closure: Closure | null | undefined,
  environment: Environment,
  near: Place,
): readonly Flow[] | null {
  if (!closure || !isOpen(reading, closure.routine)) return null
  const outcome: Expression = { k: 'name', name: 'outcome', at: near }
  const settled = openEnvironment(null, undefined, environment.ledger)
  settled.names.set('outcome', nothing)
  const given: Expression = { k: 'name', name: 'given', at: near }
  const resolve: Routine = {
    name: 'resolve',
    parameters: [{ target: given, type: null, marks: [], otherwise: null }],
    body: () => [expression(assign(outcome, given, near))],
    text: () => '',
    marks: [],
    owner: null,
    at: near,
  }
  const handed = { ...nothing, closure: { routine: resolve, environment: settled, self: null } }
  invoke(reading, closure, null, [{ argument, value: handed }], environment, null)
  return allFlows(settled.names.get('outcome') ?? nothing)
}

/** The names of a function that is passed as an argument; in PHP it is passed as a string. */
const namesOf = ({ constant, paths, closure }: Value): readonly string[] =>
  closure ? [] : typeof constant === 'string' ? [constant] : paths

/** Calls a function that is assigned as an event handler: `window.onmessage = …`. */
export function hear(
  reading: Reading,
  paths: readonly string[],
  { closure }: Value,
  environment: Environment,
  near: Place,
): void {
  if (!closure || !isOpen(reading, closure.routine)) return
  const [listener] = reading.book.setListeners.find(paths)
  if (listener) handOver(reading, closure, listener, environment, near)
}

/** Calls a function with an element of a collection, or with the data of an event. Its checks do not hold for the caller. */
function handOver(
  reading: Reading,
  closure: Closure,
  what: Listener | Value,
  environment: Environment,
  near: Place,
): Value {
  const handed = closure.routine.parameters.flatMap(({ target }, index): Given[] => {
    if ('flows' in what) return index === 0 ? [{ argument, value: what }] : []
    const { label, named, given } = what
    if (given) return [{ argument, value: given[index] ? called([given[index]]) : nothing }]
    const at = 'at' in target ? target.at : near
    const flows = [sourceAt(reading, label, at, `handed ${index}`, named !== undefined)]
    return [{ argument, value: { ...flowing(flows), paths: named === undefined ? [] : [named] } }]
  })
  const guards = environment.guards
  const returned = invoke(reading, closure, null, handed, environment, null)
  environment.guards = guards
  return returned
}

const nothingExpression: Expression = { k: 'mixed', parts: [] }
const argument = { value: nothingExpression }
