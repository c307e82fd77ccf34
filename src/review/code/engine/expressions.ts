// Reads expressions: what is known of their values, and what they do to names.

import type { Expression } from '../tree.ts'
import { readCall } from './calls.ts'
import { FILE_MODES, fold, truth } from './constants.ts'
import { assign, become, type Environment, forked, lookup, merge, unguarded } from './environment.ts'
import { filledIn } from './formats.ts'
import { refine } from './guards.ts'
import { checkAssigned, checkEntries } from './places.ts'
import { classConstant, isCollection, partOf, type Reading, sourceAt } from './reading.ts'
import {
  allFlows,
  called,
  constantValue,
  flowing,
  isForeign,
  isOutside,
  join,
  nothing,
  numeric,
  put,
  stepped,
  UNBOUND,
  UNKNOWN,
  unite,
  type Value,
} from './value.ts'

/** Members that tell of a value's size or state, never what it says. */
const telling = new Set([
  'length',
  'size',
  'method',
  'status',
  'statusCode',
  'count',
  'ok',
  'ContentLength',
  'Method',
  'is_authenticated',
])

/** The names under which patterns may know the value of an expression. */
export function pathsOf(expression: Expression, value: Value): readonly string[] {
  if (expression.k !== 'name') return value.paths
  const { name } = expression
  // An import that goes by a name of its own is not what else that name may mean: `crypto_rand` is not `rand`.
  if (value.paths.some((path) => path === name || path.endsWith(`_${name}`))) return value.paths
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
    case 'pattern':
      return nothing
    case 'mixed':
      return mixedValue(expression.parts.map((part) => read(reading, part, environment)))
  }
}

const plain =
  /^(?:int|integer|long|short|byte|float|double|bool|boolean|number|char|Integer|Long|Double|Boolean|u?int\d+|float\d+|real)$/

/** A number or a truth value carries nothing from outside. */
export const castTo = (type: string, value: Value): Value => {
  if (plain.test(type))
    return value.constant === undefined ? flowing(numeric(allFlows(value))) : constantValue(value.constant)
  return value
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

/** Of a text: a name that nothing here binds is what other code gave, which some rules take as they take a parameter. */
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

/** A variable as most write it: no constant, no type. */
const VARIABLE = /^\$?[a-z_]\w*$/

/** A part of an object: what was put there, or what comes with the object from outside. */
function member(
  reading: Reading,
  expression: { at: Parameters<typeof sourceAt>[2] },
  object: Value,
  names: readonly string[],
  name: string,
): Value {
  const held = object.items?.get(name)
  const isOurs = reading.book.ours.find(object.paths).length > 0
  const paths = (isOurs ? object.paths : names).map((path) => `${path}.${name}`)
  if (held) return held.paths.length === 0 ? { ...held, paths } : held
  if (telling.has(name))
    return typeof object.constant === 'string' && name === 'length' ? constantValue(object.constant.length) : nothing
  const [label] = reading.book.sources.find(paths)
  let flows = partOf(reading, object.flows.filter(isForeign), name)
  if (label !== undefined)
    flows = unite([sourceAt(reading, label, expression.at, paths[0] ?? name, isCollection(name))], flows)
  if (object.rest) flows = unite(flows, allFlows(object.rest))
  return { ...called(paths), flows, constant: FILE_MODES.get(name) }
}

function readIndex(reading: Reading, expression: Expression & { k: 'index' }, environment: Environment): Value {
  const object = read(reading, expression.object, environment)
  const names = pathsOf(expression.object, object)
  if (!expression.key) return { ...object, constant: undefined, paths: names, prefix: null, length: null }
  const key = read(reading, expression.key, environment).constant
  if (typeof object.constant === 'string' && typeof key === 'number') {
    const letter = object.constant.at(key)
    return letter === undefined ? nothing : constantValue(letter)
  }
  if (key === undefined || key === null) {
    const flows = partOf(reading, allFlows(object).filter(isForeign), '[]')
    return { ...called(names.map((path) => `${path}[]`)), flows }
  }
  const place = typeof key === 'number' && key < 0 && object.length !== null ? object.length + key : key
  return member(reading, expression, object, names, String(place))
}

function binary(reading: Reading, expression: Expression & { k: 'binary' }, environment: Environment): Value {
  const { operator } = expression
  const isText = operator === '+' || operator === '.' || operator === '..'
  const left = (isText ? readPart : read)(reading, expression.left, environment)
  if (isLogical(operator)) return logical(reading, operator, expression, left, environment)
  const right = (isText || operator === '%' ? readPart : read)(reading, expression.right, environment)
  const folded = fold(operator, left.constant, right.constant)
  if (folded !== undefined) return constantValue(folded)
  if (isText) return text([left, right])
  if (operator === '%' || operator === '/') {
    // A format with its values, or a path with its parts.
    const flows = unite(left.flows, allFlows(operator === '%' ? filledIn(reading, left, right) : right))
    return {
      ...nothing,
      flows,
      paths: left.paths,
      prefix: operator === '%' ? formatPrefix(left) : left.flows.some(isOutside) ? null : UNKNOWN,
      opening: operator === '%' ? formatPrefix(left) : null,
    }
  }
  // Flags that are set together go by all their names.
  if (operator === '|' && left.flows.length + right.flows.length === 0)
    return called([...new Set([...left.paths, ...right.paths])].slice(0, MOST_FLAGS))
  return arithmetic.test(operator) ? flowing(numeric(unite(left.flows, right.flows))) : nothing
}

/** Names of one value that are kept where flags are set together. */
const MOST_FLAGS = 64

const arithmetic = /^[-*|&^]|^\/\/|^<<|^>>/

const formatPrefix = ({ constant }: Value): string | null =>
  typeof constant === 'string' ? constant.slice(0, Math.max(constant.search(/[%{]/), 0)) : null

const isLogical = (operator: string) => ['||', '&&', 'or', 'and', '??', '?:'].includes(operator)

function logical(
  reading: Reading,
  operator: string,
  expression: Expression & { k: 'binary' },
  left: Value,
  environment: Environment,
): Value {
  const known = operator === '??' ? undefined : truth(left.constant)
  const isAnd = operator === '&&' || operator === 'and'
  if (known !== undefined && known !== isAnd) return left
  const apart = forked(environment)
  refine(reading, expression.left, isAnd, apart)
  const right = read(reading, expression.right, apart)
  merge(environment, apart)
  if (known !== undefined) return right
  return join(left, right)
}

/** The value of texts put together. */
function text(parts: readonly Value[]): Value {
  let constant: string | undefined = ''
  let prefix = ''
  let opening: string | null = null
  let isOpen = true
  let flows: Value['flows'] = []
  for (const part of parts) {
    const own = allFlows(part)
    if (own.length > 0 && part.constant === undefined) opening ??= prefix + (part.opening ?? '')
    if (isOpen) {
      if (part.constant !== undefined) prefix += String(part.constant)
      else if (!own.some(isOutside)) prefix += part.prefix ?? UNKNOWN
      else {
        prefix += part.prefix ?? ''
        isOpen = false
      }
    }
    flows = unite(flows, own)
    constant = constant === undefined || part.constant === undefined ? undefined : constant + String(part.constant)
  }
  if (constant !== undefined) return constantValue(constant)
  return { ...nothing, flows, prefix, opening }
}

function choice(reading: Reading, expression: Expression & { k: 'choice' }, environment: Environment): Value {
  const known = truth(read(reading, expression.test, environment).constant)
  const [yes, no] = [forked(environment), forked(environment)]
  refine(reading, expression.test, true, yes)
  refine(reading, expression.test, false, no)
  if (known === true) return settled(environment, yes, read(reading, expression.yes, yes))
  if (known === false) return settled(environment, no, read(reading, expression.no, no))
  const value = join(
    unguarded(read(reading, expression.yes, yes), yes),
    unguarded(read(reading, expression.no, no), no),
  )
  merge(yes, no)
  return settled(environment, yes, value)
}

function settled(environment: Environment, way: Environment, value: Value): Value {
  become(environment, way)
  return value
}

function readAssignment(reading: Reading, expression: Expression & { k: 'assign' }, environment: Environment): Value {
  let value = read(reading, expression.value, environment)
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

/** Puts a value into a name, a part of an object, or the names of a pattern. */
export function store(reading: Reading, target: Expression, value: Value, environment: Environment): void {
  switch (target.k) {
    case 'name':
      assign(environment, target.name, value)
      return
    case 'member':
      storeIn(reading, target.object, target.name, value, environment)
      return
    case 'index': {
      const key = target.key ? read(reading, target.key, environment).constant : undefined
      storeIn(reading, target.object, key === undefined || key === null ? null : String(key), value, environment)
      return
    }
    case 'pattern':
      for (const { key, target: part, otherwise } of target.parts) {
        const taken =
          key === null
            ? { ...value, items: null, length: null, flows: allFlows(value) }
            : member(reading, { at: placeOf(part) }, value, value.paths, key)
        const isAbsent = otherwise && taken.flows.length === 0
        store(reading, part, isAbsent ? join(taken, read(reading, otherwise, environment)) : taken, environment)
      }
      return
    case 'list':
      store(
        reading,
        {
          k: 'pattern',
          parts: target.items.map((item, at) => ({ key: String(at), target: item.value, otherwise: null })),
        },
        value,
        environment,
      )
      return
    default:
      return
  }
}

const nowhere = { range: () => ({ start: { line: 0, column: 0 } }) }
const placeOf = (expression: Expression) => ('at' in expression ? expression.at : nowhere)

/** Puts a value under a key of an object; null: under one that is not known. */
function storeIn(
  reading: Reading,
  object: Expression,
  key: string | null,
  value: Value,
  environment: Environment,
): void {
  if (object.k !== 'name' && object.k !== 'member' && object.k !== 'index') return
  const before = read(reading, object, environment)
  store(reading, object, put(before, key, value), environment)
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
