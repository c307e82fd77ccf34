// Lists the leaves of a JSON value with their paths, and replaces them.

import type { Change, Json, Schema } from './types.ts'

export type Leaf = { name: string; value: Json; schema?: Schema }

const MOST_LEAVES = 60
const DEEPEST = 12
/** Elements of a list that are looked at. */
const MOST_ELEMENTS = 2

export const isObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** Every leaf of a value, the first two elements of each list; empty lists and objects are leaves. */
export function leavesOf(value: Json, schema?: Schema): Leaf[] {
  const leaves: Leaf[] = []
  const walk = (one: Json, name: string, described: Schema | undefined, depth: number): void => {
    if (leaves.length >= MOST_LEAVES || depth > DEEPEST) return
    const inner: [string, Json, Schema | undefined][] = isList(one)
      ? one.slice(0, MOST_ELEMENTS).map((element, index) => [String(index), element, described?.items])
      : isObject(one)
        ? Object.entries(one).map(([key, element]) => [key, element, described?.properties?.[key]])
        : []
    if (inner.length === 0) {
      if (name !== '') leaves.push({ name, value: one, schema: described })
      return
    }
    for (const [key, element, of] of inner)
      walk(element, name === '' ? escapeKey(key) : `${name}.${escapeKey(key)}`, of, depth + 1)
  }
  walk(value, '', schema, 0)
  return leaves
}

const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('.', '~1')
const plainKey = (key: string) => key.replaceAll('~1', '.').replaceAll('~0', '~')

/** A copy with some leaves replaced; a way that leads nowhere adds a member. */
export function changeJson(value: Json, changes: readonly Change[]): Json {
  return changes.reduce<Json>(
    (now, { point, value: next, rename }) => set(now, point.name.split('.').map(plainKey), next, rename),
    value,
  )
}

function set(value: Json, [key, ...rest]: readonly string[], next: Json, rename?: string): Json {
  if (key === undefined) return next
  if (isList(value))
    return value.map((element, index) => (String(index) === key ? set(element, rest, next, rename) : element))
  const object = isObject(value) ? value : {}
  const inner = set(Object.hasOwn(object, key) ? (object[key] ?? null) : null, rest, next, rename)
  if (rest.length > 0 || rename === undefined) return { ...object, [key]: inner }
  const { [key]: _, ...others } = object
  return { ...others, [rename]: inner }
}

/** The value that a way such as `data.token` leads to; undefined when it leads nowhere. */
export function valueAt(value: Json, way: string): Json | undefined {
  let now: Json | undefined = value
  for (const key of way.split('.').map(plainKey)) {
    if (isList(now)) now = now[Number(key)]
    else if (isObject(now)) now = Object.hasOwn(now, key) ? now[key] : undefined
    else return undefined
  }
  return now
}

/** The JSON of a text; undefined when it is none. */
export function readJson(text: string): Json | undefined {
  const start = /^\s*[[{"\dtfn-]/.test(text.slice(0, 200))
  if (!start) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
