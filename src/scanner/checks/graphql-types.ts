// Reads enough of a GraphQL schema by introspection to build a circular query.

import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Json } from '../types.ts'
import type { Endpoint } from './graphql-endpoint.ts'

/** For each object type, its fields with their type and whether they need arguments. */
type Types = { query: string; fields: ReadonlyMap<string, readonly Field[]> }
type Field = { name: string; type: string; isObject: boolean; isFree: boolean }

const INNER = 'kind name ofType{kind name ofType{kind name ofType{kind name}}}'
const QUESTION = `query{__schema{queryType{name} types{kind name fields{name args{type{kind} defaultValue} type{${INNER}}}}}}`

/** Null if introspection is refused. */
export async function introspect({ ask }: Endpoint): Promise<Types | null> {
  const exchange = await ask({ query: QUESTION })
  const json = exchange === null ? undefined : readJson(exchange.text)
  const schema = isObject(json) && isObject(json.data) ? json.data.__schema : undefined
  if (!isObject(schema) || !isList(schema.types)) return null
  const query =
    isObject(schema.queryType) && typeof schema.queryType.name === 'string' ? schema.queryType.name : 'Query'
  const fields = new Map<string, Field[]>()
  for (const type of schema.types.slice(0, 2_000)) {
    if (!isObject(type) || type.kind !== 'OBJECT' || typeof type.name !== 'string' || type.name.startsWith('__'))
      continue
    const own = isList(type.fields) ? type.fields : []
    fields.set(
      type.name,
      own.slice(0, 200).flatMap((field) => readField(field)),
    )
  }
  return { query, fields }
}

function readField(field: Json): Field[] {
  if (!isObject(field) || typeof field.name !== 'string') return []
  let type: Json | undefined = field.type
  while (isObject(type) && (type.kind === 'NON_NULL' || type.kind === 'LIST')) type = type.ofType
  if (!isObject(type) || typeof type.name !== 'string') return []
  const args = isList(field.args) ? field.args : []
  const isFree = args.every(
    (arg) => !isObject(arg) || !isObject(arg.type) || arg.type.kind !== 'NON_NULL' || arg.defaultValue !== null,
  )
  return [{ name: field.name, type: type.name, isObject: type.kind === 'OBJECT', isFree }]
}

/** A path from the root to a type, a cycle from the type back to itself, and one of its leaves; null if there is no cycle. */
type Cycle = { start: string[]; way: string[]; leaf: string }

const LONGEST = 5

export function cycleOf({ query, fields }: Types): Cycle | null {
  const outOf = (type: string) => (fields.get(type) ?? []).filter((field) => field.isObject && field.isFree)
  const visited = new Set([query])
  let reached = [{ type: query, start: [] as string[] }]
  for (let step = 0; step < 4 && reached.length > 0; step += 1) {
    const next: typeof reached = []
    for (const { type, start } of reached) {
      if (type !== query) {
        const way = wayBack(type, outOf)
        if (way !== null) return { start, way, leaf: '__typename' }
      }
      for (const field of outOf(type)) {
        if (visited.has(field.type)) continue
        visited.add(field.type)
        next.push({ type: field.type, start: [...start, field.name] })
      }
    }
    reached = next
  }
  return null
}

/** The shortest cycle from a type back to itself. */
function wayBack(goal: string, outOf: (type: string) => readonly Field[]): string[] | null {
  const visited = new Set<string>()
  let reached = [{ type: goal, way: [] as string[] }]
  for (let step = 0; step < LONGEST; step += 1) {
    const next: typeof reached = []
    for (const { type, way } of reached) {
      for (const field of outOf(type)) {
        if (field.type === goal) return [...way, field.name]
        if (visited.has(field.type)) continue
        visited.add(field.type)
        next.push({ type: field.type, way: [...way, field.name] })
      }
    }
    reached = next
  }
  return null
}
