// Reads the JSON schemas of descriptions, with references resolved and cycles cut, and generates values from them.

import { isList, isObject } from '../json-leaves.ts'
import type { Json, Schema } from '../types.ts'
import { type Reading, readAsDeep } from './deepening.ts'
import { type Document, deref, listIn, objectIn, textIn } from './document.ts'
import { valueByName } from './names.ts'
import { fitsPattern, textOfPattern } from './patterns.ts'

const DEEPEST = 8
const DEPTHS = [DEEPEST, 5, 3, 2, 1]
const MOST_PROPERTIES = 80
/** Parts of one schema, and of all that are read from a description before the rest is read as flat as it can be. */
const MOST_PARTS = 400
const MOST_IN_ALL = 100_000

/** What was read of a description: references that were read as a whole, and how many parts there may still be. */
const readings = new WeakMap<Document, { known: Map<string, Schema>; left: number }>()

/** The parts of a schema that values are made of. `allOf` is merged, of `oneOf` and `anyOf` the first counts. */
export function readSchema(document: Document, given: Json | undefined): Schema {
  const ofDocument = readings.get(document) ?? { known: new Map(), left: MOST_IN_ALL }
  readings.set(document, ofDocument)
  const reference = isObject(given) ? textIn(given.$ref) : ''
  const known = ofDocument.known.get(reference)
  if (known) return known
  let parts = 0
  const schema = readAsDeep(ofDocument.left > 0 ? DEPTHS : DEPTHS.slice(-1), MOST_PARTS, (reading) => {
    const read = readWithin(reading, document, given, 0, [])
    parts = MOST_PARTS - reading.left
    return read
  })
  ofDocument.left -= parts
  if (reference !== '') ofDocument.known.set(reference, schema)
  return schema
}

function readWithin(
  reading: Reading,
  document: Document,
  given: Json | undefined,
  depth: number,
  open: readonly string[],
): Schema {
  reading.left -= 1
  const reference = isObject(given) ? textIn(given.$ref) : ''
  if (reading.left < 0 || depth > reading.deepest || open.includes(reference)) return {}
  const way = reference === '' ? open : [...open, reference]
  const raw = deref(document, given)
  const inner = (value: Json | undefined) => readWithin(reading, document, value, depth + 1, way)
  const parts = [...listIn(raw.allOf), ...listIn(raw.oneOf).slice(0, 1), ...listIn(raw.anyOf).slice(0, 1)].map(inner)
  const types = [...listIn(raw.type), raw.type].filter(
    (one): one is string => typeof one === 'string' && one !== 'null',
  )
  const properties = Object.fromEntries(
    Object.entries(objectIn(raw.properties))
      .filter(([, value]) => !(isObject(value) && way.includes(textIn(value.$ref))))
      .slice(0, MOST_PROPERTIES)
      .map(([name, value]) => [name, inner(value)]),
  )
  const merged: Schema = Object.assign({}, ...parts)
  const all = Object.assign({}, ...parts.map((part) => part.properties ?? {}), properties)
  const required = [...parts.flatMap((part) => part.required ?? []), ...listIn(raw.required).map(textIn)].filter(
    Boolean,
  )
  const examples = isList(raw.examples) ? raw.examples[0] : undefined
  return compact({
    ...merged,
    type: types[0] ?? merged.type ?? (Object.keys(all).length > 0 ? 'object' : raw.items ? 'array' : undefined),
    format: textIn(raw.format) || merged.format,
    enum: raw.const !== undefined ? [raw.const] : isList(raw.enum) ? raw.enum : merged.enum,
    example: raw.example ?? examples ?? merged.example,
    default: raw.default ?? merged.default,
    pattern: textIn(raw.pattern) || merged.pattern,
    minimum: numberIn(raw.minimum) ?? merged.minimum,
    maximum: numberIn(raw.maximum) ?? merged.maximum,
    minLength: numberIn(raw.minLength) ?? merged.minLength,
    maxLength: numberIn(raw.maxLength) ?? merged.maxLength,
    properties: Object.keys(all).length > 0 ? all : undefined,
    required: required.length > 0 ? required : undefined,
    items: raw.items ? inner(raw.items) : merged.items,
    readOnly: raw.readOnly === true || undefined,
    name: reference === '' ? merged.name : reference.split('/').at(-1),
  })
}

const numberIn = (value: Json | undefined) => (typeof value === 'number' ? value : undefined)

const compact = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))

/** A value that fits the schema: its example, default or first enum, else one made of its format, its name and its type. */
export function sampleOf(schema: Schema, name = '', depth = 0): Json {
  if (schema.example !== undefined) return schema.example
  if (schema.default !== undefined && schema.default !== null) return schema.default
  if (schema.enum && schema.enum.length > 0) return schema.enum.find((one) => one !== null) ?? null
  if (depth > DEEPEST) return null
  if (schema.type === 'object' || schema.properties) {
    const members = Object.entries(schema.properties ?? {}).filter(([, one]) => !one.readOnly)
    return Object.fromEntries(members.map(([key, one]) => [key, sampleOf(one, key, depth + 1)]))
  }
  if (schema.type === 'array') return schema.items ? [sampleOf(schema.items, name, depth + 1)] : []
  // nobody is made an administrator by the way
  if (schema.type === 'boolean') return !/admin|superuser|staff/i.test(name)
  if (schema.type === 'integer' || schema.type === 'number') {
    return Math.max(schema.minimum ?? 1, Math.min(schema.maximum ?? 1, 1))
  }
  return patterned(fitted(valueByName(name, schema.format ?? ''), schema), schema)
}

/** What a pattern does not take gives way to what it asks for. */
function patterned(text: string, { pattern, minLength }: Schema): string {
  if (pattern === undefined || fitsPattern(pattern, text) === true) return text
  return textOfPattern(pattern, minLength) ?? text
}

function fitted(text: string, { minLength = 0, maxLength = 10_000 }: Schema): string {
  const long = text.length < minLength && minLength < 10_000 ? text.padEnd(minLength, 'a') : text
  return long.slice(0, Math.max(0, maxLength))
}

export const asText = (value: Json): string =>
  typeof value === 'string' ? value : isList(value) ? value.map(asText).join(',') : JSON.stringify(value)
