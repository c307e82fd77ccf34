// Calls the functions that are given to a call, or set to hear of an event: with what its object holds, or what comes in.

import type { Listener } from '../rules.ts'
import type { Expression, Place } from '../tree.ts'
import { mayHarm } from '../words.ts'
import type { Callee } from './calls.ts'
import type { Environment } from './environment.ts'
import { invoke } from './invoke.ts'
import { flowsOf } from './outcomes.ts'
import type { Given } from './places.ts'
import { isOpen, type Reading, sourceAt } from './reading.ts'
import { allFlows, type Closure, cleanedOf, type Flow, flowing, unite, type Value } from './value.ts'

/** Functions that give what another answers of each element. */
const MAPPING = /^(?:map|flatMap|mapToObj|array_map)$/

/** The flows of the outcome, where the function that is given decides it alone: of `map`. */
export function callBack(
  reading: Reading,
  { receiver, paths, name }: Callee,
  given: readonly Given[],
  environment: Environment,
  near: Place,
): readonly Flow[] | null {
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
      (isMapping || mayHarm(reading.book.trigger, closure.routine.text()))
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

/** The names of a function that another is given; PHP gives it as a text. */
const namesOf = ({ constant, paths, closure }: Value): readonly string[] =>
  closure ? [] : typeof constant === 'string' ? [constant] : paths

/** A function that is set to hear of an event: `window.onmessage = …`. */
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

/** Calls a function with an element, or with what a listener hears. What it checks holds for itself alone. */
function handOver(
  reading: Reading,
  closure: Closure,
  what: Listener | Value,
  environment: Environment,
  near: Place,
): Value {
  const handed = closure.routine.parameters.flatMap(({ target }, index): Given[] => {
    if ('flows' in what) return index === 0 ? [{ argument, value: what }] : []
    const { label, named } = what
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
