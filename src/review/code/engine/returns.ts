// What a function returns, what it has checked by then, and which returned values are sinks.

import type { Statement } from '../tree.ts'
import { commonOf, type Environment, unguarded } from './environment.ts'
import { read } from './expressions.ts'
import { entryOf } from './ledger.ts'
import { meets } from './places.ts'
import { frameOf, type Reading, reportFlow } from './reading.ts'
import { allFlows, flowing, join, nothing, type Value } from './value.ts'

export function runReturn(reading: Reading, statement: Statement & { k: 'return' }, environment: Environment): void {
  const frame = frameOf(reading)
  const value = statement.value ? read(reading, statement.value, environment) : nothing
  checkReturned(reading, statement, answered(value), environment)
  const checked = unguarded(value, environment)
  frame.returns = frame.returns ? join(frame.returns, checked) : checked
  keepGuards(reading, environment)
}

/** Reads a `yield`, which adds an element to what the function returns. Some frameworks wait for a value this way and pass it back. */
export function yielded(reading: Reading, value: Value): Value {
  const frame = frameOf(reading)
  const element = flowing(allFlows(value))
  frame.returns = frame.returns ? join(frame.returns, element) : element
  return value
}

/** Checks that were made on every path to the end of a function hold for its caller. */
export function keepGuards(reading: Reading, environment: Environment): void {
  const frame = frameOf(reading)
  frame.guards = frame.guards ? commonOf(frame.guards, environment.guards) : environment.guards
}

/** The body of a response that is returned together with its status. */
const answered = (value: Value): Value =>
  typeof value.items?.get('1')?.constant === 'number' ? (value.items.get('0') ?? value) : value

function checkReturned(
  reading: Reading,
  statement: Statement & { k: 'return' },
  value: Value,
  environment: Environment,
): void {
  const { routine } = frameOf(reading)
  if (allFlows(value).length === 0) return
  const marks = routine ? [...routine.marks, `fn.${wordsOf(routine.name)}`] : []
  const isForwarded =
    statement.value?.k === 'call' &&
    statement.value.callee.k === 'name' &&
    !/^(?:str|String|strval|hex)$/.test(statement.value.callee.name) &&
    value.flows.every(({ last }) => last.line === statement.at.range().start.line) &&
    isShallow(reading)
  if (marks.length === 0 || isForwarded) return
  for (const harm of reading.book.returnSinks.find(marks)) {
    const flows = harm.sink.text && value.items ? value.flows : allFlows(value)
    if (flows.length > 0 && harm.sink.where.every((condition) => meets(condition, value)))
      reportFlow(reading, harm, value, flows, environment, statement.at)
  }
}

/** Whether at most one call is open. The result then depends on the depth, so it is reused only at this depth. */
function isShallow({ frames, ledger }: Reading): boolean {
  const entry = entryOf(ledger)
  if (entry) entry.isBound = true
  return frames.length <= 2
}

/** A name in snake case, so that `makeAPIKey` and `make_api_key` are the same. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
