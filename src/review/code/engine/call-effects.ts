// What a call changes beside its result: what it fills, what it adds to its object, and whom it hands an object to.

import type { Call, Callee } from './calls.ts'
import { type Environment, lookup } from './environment.ts'
import { store } from './members.ts'
import { flowsOf } from './outcomes.ts'
import { checkCall, type Given } from './places.ts'
import type { Reading } from './reading.ts'
import { allFlows, nothing, unite, type Value } from './value.ts'

/** A new object that has nothing yet may be given its settings by whom it is handed to: what it has is no longer known. */
export function handOver(reading: Reading, given: readonly Given[], environment: Environment): void {
  for (const { argument, value } of given) {
    if (argument.value.k === 'name' && value.items?.size === 0 && value.length === null)
      store(reading, argument.value, { ...value, items: null, rest: nothing }, environment)
  }
}

/** Functions that put what they find, or are given, into an argument: from which, into which. */
const FILLED = new Map<string, readonly [from: number | 'this', into: number]>([
  ['Decode', ['this', 0]],
  ['DecodeElement', ['this', 0]],
  ['Copy', [1, 0]],
  ['CopyN', [1, 0]],
  ['Fprintf', [2, 0]],
  ['Fprint', [1, 0]],
  ['Fprintln', [1, 0]],
  ['parse_str', [0, 1]],
  ['mb_parse_str', [0, 1]],
  ['preg_match', [1, 2]],
  ['preg_match_all', [1, 2]],
  ['array_push', [1, 0]],
  ['array_unshift', [1, 0]],
  ['Unmarshal', [0, 1]],
  ['Sscanf', [0, 2]],
  ['Sscan', [0, 1]],
  ['Fscanf', [0, 2]],
])

export function fill(
  reading: Reading,
  name: string,
  given: readonly Given[],
  receiver: Value | null,
  environment: Environment,
): void {
  const places = FILLED.get(name)
  // A form that is decoded is given beside what it is decoded into.
  const from =
    places && (places[0] === 'this' ? (given.length > 1 ? given[1]?.value : receiver) : given[places[0]]?.value)
  const into = places && given[places[1]]
  if (!from || !into || into.argument.value.k !== 'name') return
  const flows = allFlows(from)
  if (flows.length > 0)
    store(
      reading,
      into.argument.value,
      { ...into.value, constant: undefined, flows: unite(into.value.flows, flows) },
      environment,
    )
}

/** PHP: a function or a class that goes by what a variable says is called as `call_user_func` calls it. */
export function checkVariable(reading: Reading, { callee, at }: Call, environment: Environment): void {
  if (callee.k !== 'name' || !callee.name.startsWith('$')) return
  const value = lookup(environment, callee.name)
  if (value && value.flows.length > 0)
    checkCall(reading, ['call_user_func'], [{ argument: { value: callee }, value }], null, environment, at)
}

/** A method that sets or adds leaves its object with what it was given. */
export function changeReceiver(
  reading: Reading,
  call: Call,
  { receiver, name }: Callee,
  values: readonly Value[],
  environment: Environment,
): void {
  if (
    !receiver ||
    call.callee.k !== 'member' ||
    !/^(?:set|add|put|append|insert|prepend|with|command|readFrom$)/i.test(name)
  )
    return
  const flows = flowsOf(values)
  if (flows.length === 0 || call.callee.object.k !== 'name' || call.callee.object.name === 'this') return
  store(
    reading,
    call.callee.object,
    { ...receiver, constant: undefined, flows: unite(receiver.flows, flows) },
    environment,
  )
}
