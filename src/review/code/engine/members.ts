// Reads parts of objects by name, key or index, and assigns values to names and parts.

import { memberPath } from '../patterns.ts'
import type { Expression } from '../tree.ts'
import { FILE_MODES } from './constants.ts'
import { assign, type Environment } from './environment.ts'
import { pathsOf, read } from './expressions.ts'
import { isCollection, partOf, type Reading, sourceAt } from './reading.ts'
import { allFlows, called, constantValue, isForeign, join, nothing, numeric, put, unite, type Value } from './value.ts'

/** Members that describe a value's size or state, and never carry its content. */
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
  // where a server puts an uploaded file by itself
  'tmp_name',
  'tempFilePath',
])

/** A file uploaded to PHP, which has a name, a type and a path. */
const FILE = /^\$_FILES\.[^.]+$/

/** A member of an object: what was stored there, or a part of the outside data that the object carries. */
export function member(
  reading: Reading,
  expression: { at: Parameters<typeof sourceAt>[2] },
  object: Value,
  names: readonly string[],
  name: string,
): Value {
  const held = object.items?.get(name)
  const isOurs = reading.book.ours.find(object.paths).length > 0
  const paths = (isOurs ? object.paths : names).map((path) => memberPath(path, name))
  if (held) return held.paths.length === 0 ? { ...held, paths } : held
  if (telling.has(name))
    return typeof object.constant === 'string' && name === 'length' ? constantValue(object.constant.length) : nothing
  const [label] = reading.book.sources.find(paths)
  const isFile = paths.some((path) => FILE.test(path))
  let flows = partOf(reading, object.flows.filter(isForeign), name, isFile)
  if (label !== undefined)
    flows = unite([sourceAt(reading, label, expression.at, paths[0] ?? name, isCollection(name))], flows)
  if (object.rest) flows = unite(flows, allFlows(object.rest))
  return { ...called(paths), flows, constant: FILE_MODES.get(name) }
}

export function readIndex(reading: Reading, expression: Expression & { k: 'index' }, environment: Environment): Value {
  const object = read(reading, expression.object, environment)
  const names = pathsOf(expression.object, object)
  if (!expression.key) return { ...object, constant: undefined, paths: names, prefix: null, length: null }
  const place = read(reading, expression.key, environment)
  const key = place.constant
  if (typeof object.constant === 'string' && typeof key === 'number') {
    const letter = object.constant.at(key)
    return letter === undefined ? nothing : constantValue(letter)
  }
  if (key === undefined || key === null) {
    const flows = partOf(reading, allFlows(object).filter(isForeign), '[]')
    return { ...called(names.map((path) => `${path}[]`)), flows: unite(flows, numeric(place.flows)) }
  }
  const asked = typeof key === 'number' && key < 0 && object.length !== null ? object.length + key : key
  return member(reading, expression, object, names, String(asked))
}

/** Assigns a value to a name, a member or element of an object, or the names of a destructuring pattern. */
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

/** Stores a value under a key of an object; null is an unknown key. */
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
