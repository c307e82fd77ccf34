// Reads expressions: what is known of their values, and how they change bindings.

import type { Expression } from '../tree.ts'
import { readCall } from './calls.ts'
import { FILE_MODES, fold, truth } from './constants.ts'
import { type Environment, lookup } from './environment.ts'
import { invoke, methodOf } from './invoke.ts'
import { member, readIndex, store } from './members.ts'
import { binary, castTo, choice, text } from './operators.ts'
import { checkAssigned, checkEntries } from './places.ts'
import { classConstant, isCollection, isOpen, type Reading, sourceAt } from './reading.ts'
import { yielded } from './returns.ts'
import {
  allFlows,
  type Closure,
  called,
  constantValue,
  flowing,
  isOutside,
  join,
  nothing,
  put,
  stepped,
  UNBOUND,
  unite,
  type Value,
} from './value.ts'

/** The names by which patterns can refer to the value of an expression. */
export function pathsOf(expression: Expression, value: Value): readonly string[] {
  if (expression.k !== 'name') return value.paths
  const { name } = expression
  // An import under an alias does not have the other meanings of that alias: `crypto_rand` is not `rand`.
  if (value.isRenamed === true || value.paths.some((path) => path === name || path.endsWith(`_${name}`)))
    return value.paths
  return [...value.paths, name]
}

export function read(reading: Reading, expression: Expression, environment: Environment): Value {
  if (--reading.budget < 0) return nothing
  switch (expression.k) {
    case 'constant':
      return constantValue(expression.value)
    case 'name':
      return readName(reading, expression, environment)
    case 'member': {
      const kept = classConstant(reading, expression, environment)
      if (kept) return kept
      const object = read(reading, expression.object, environment)
      const getter = getterOf(reading, object, expression.name)
      if (getter && isOpen(reading, getter.routine)) return invoke(reading, getter, object, [], environment, null)
      return member(reading, expression, object, pathsOf(expression.object, object), expression.name)
    }
    case 'index':
      return readIndex(reading, expression, environment)
    case 'call':
      return readCall(reading, expression, environment)
    case 'binary':
      return binary(reading, expression, environment)
    case 'not': {
      const known = truth(read(reading, expression.value, environment).constant)
      return known === undefined ? nothing : constantValue(!known)
    }
    case 'text':
      return text(expression.parts.map((part) => readPart(reading, part, environment)))
    case 'choice':
      return choice(reading, expression, environment)
    case 'assign':
      return readAssignment(reading, expression, environment)
    case 'list':
      return list(reading, expression, environment)
    case 'map':
      return map(reading, expression, environment)
    case 'function':
      return withClosure(reading, expression, environment)
    case 'cast': {
      const value = read(reading, expression.value, environment)
      return castTo(expression.type, value)
    }
    case 'yield':
      return yielded(reading, read(reading, expression.value, environment))
    case 'pattern':
      return nothing
    case 'mixed':
      return mixedValue(expression.parts.map((part) => read(reading, part, environment)))
  }
}

const GETTER = /(?:^|\.)(?:cached_)?property$/

/** The method behind a member that is read like a field. */
function getterOf(reading: Reading, { owner }: Value, name: string): Closure | null {
  const method = owner === null ? null : methodOf(reading, reading.classes.get(owner), name)
  return method?.routine.marks.some((mark) => GETTER.test(mark)) ? method : null
}

const mixedValue = (values: Value[]): Value =>
  values.length === 1 && values[0]
    ? values[0]
    : flowing(values.reduce<Value['flows']>((all, each) => unite(all, allFlows(each)), []))

function readName(reading: Reading, expression: Expression & { k: 'name' }, environment: Environment): Value {
  const known = lookup(environment, expression.name)
  const paths = known?.paths ?? []
  if (known && (known.flows.some(isOutside) || known.constant !== undefined)) return known
  const mode = FILE_MODES.get(expression.name)
  if (mode !== undefined) return { ...called([expression.name]), constant: mode }
  const [label] = reading.book.sources.find(paths.includes(expression.name) ? paths : [...paths, expression.name])
  if (label === undefined) return known ?? called([expression.name])
  return {
    ...(known ?? nothing),
    flows: [sourceAt(reading, label, expression.at, expression.name, isCollection(expression.name))],
  }
}

/** Reads a part of a string. A name that nothing here binds was set by other code; some rules treat it like a parameter. */
export function readPart(reading: Reading, expression: Expression, environment: Environment): Value {
  if (expression.k === 'list') return list(reading, expression, environment, readPart)
  const value = read(reading, expression, environment)
  const isUnbound =
    expression.k === 'name' &&
    VARIABLE.test(expression.name) &&
    expression.name !== 'this' &&
    value.flows.length === 0 &&
    !lookup(environment, expression.name)
  if (!isUnbound) return value
  return { ...value, flows: [sourceAt(reading, UNBOUND, expression.at, expression.name, false)] }
}

/** A name in the usual style of variables, not that of constants or types. */
const VARIABLE = /^\$?[a-z_]\w*$/

function readAssignment(reading: Reading, expression: Expression & { k: 'assign' }, environment: Environment): Value {
  let value = read(reading, expression.value, environment)
  // A value without a name gets the name of the variable that it is read from.
  if (expression.value.k === 'name' && value.paths.length === 0 && value.constant === undefined && !value.closure)
    value = { ...value, paths: [expression.value.name] }
  if (expression.operator !== '') {
    const before = read(reading, expression.target, environment)
    const folded = fold(expression.operator, before.constant, value.constant)
    if (folded !== undefined) value = constantValue(folded)
    else if (['||', '&&', '??'].includes(expression.operator)) value = join(before, value)
    else value = ['+', '.'].includes(expression.operator) ? text([before, value]) : nothing
  }
  if (expression.type !== null) {
    value = castTo(expression.type, value)
    if (!value.paths.includes(expression.type) && value.constant === undefined)
      value = { ...value, paths: [expression.type, ...value.paths].slice(0, 4) }
  }
  if (value.flows.length > 0) {
    const { line, column } = expression.at.range().start
    value = { ...value, flows: stepped(value.flows, line, column) }
  }
  checkAssigned(reading, expression, value, environment)
  store(reading, expression.target, value, environment)
  return value
}

function list(
  reading: Reading,
  expression: Expression & { k: 'list' },
  environment: Environment,
  readItem = read,
): Value {
  let made: Value = { ...nothing, items: new Map(), length: 0 }
  for (const item of expression.items) {
    const value = readItem(reading, item.value, environment)
    made = item.spread
      ? { ...made, rest: join(made.rest ?? nothing, flowing(allFlows(value))), length: null }
      : put(made, null, value)
  }
  return made
}

function map(reading: Reading, expression: Expression & { k: 'map' }, environment: Environment): Value {
  const items = new Map<string, Value>()
  let rest: Value | null = null
  for (const { key, value: given } of expression.entries) {
    const value = read(reading, given, environment)
    const name = key ? read(reading, key, environment).constant : undefined
    if (key && name !== undefined && name !== null) items.set(String(name), value)
    else if (!key && value.items) {
      for (const [each, item] of value.items) items.set(each, item)
      rest = value.flows.length > 0 || value.rest ? join(rest ?? nothing, { ...value, items: null }) : rest
    } else rest = join(rest ?? nothing, flowing(allFlows(value)))
  }
  const made = { ...called(expression.type ? [expression.type] : []), items, rest }
  checkEntries(reading, expression, made, environment)
  return made
}

function withClosure(reading: Reading, expression: Expression & { k: 'function' }, environment: Environment): Value {
  const closure = { routine: expression.fn, environment, self: null }
  reading.waiting.push(closure)
  return { ...nothing, closure }
}
