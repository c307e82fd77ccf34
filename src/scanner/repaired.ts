// Turns a refused request into an accepted one: with new names, without what the refusal names, or with required fields alone.

import type { Context } from './check.ts'
import { changeJson, isList, isObject, leavesOf, readJson } from './json-leaves.ts'
import type { Body, Exchange, Json, Operation, Schema } from './types.ts'
import { isMadeUpValue, leafName } from './values.ts'

type Answered = { operation: Operation; exchange: Exchange }

/** Members that a refusal names and that are left out, one after the other. */
const MOST_NAMED = 8
/** Members beside the required ones that are tried one by one. */
const MOST_OPTIONAL = 8

export const isRefused = ({ answer, text }: Exchange, { body }: Operation): boolean =>
  [400, 409, 422].includes(answer.status) ||
  answer.status >= 500 ||
  (body?.type === 'graphql' && /"errors"\s*:\s*\[/.test(text.slice(0, 100_000)))

/** Null where nothing that is tried is taken. */
export async function repaired(given: Operation, refusal: Exchange, context: Context): Promise<Answered | null> {
  const { body, kind } = given
  if ((kind !== 'create' && kind !== 'update') || (body?.type !== 'json' && body?.type !== 'graphql')) return null
  // a fault may come when the work is done, as where a mail about it cannot be sent: then each further request does it once more
  const isFault = kind === 'create' && refusal.answer.status >= 500
  if (isFault && (await hasGrown(given, context))) return null
  const ask = async (operation: Operation): Promise<Exchange | null> => context.attempt(operation)
  const taken = async (operation: Operation): Promise<Answered | null> => {
    const exchange = await ask(operation)
    return exchange === null || isRefused(exchange, operation) || exchange.answer.status >= 400
      ? null
      : { operation, exchange }
  }
  // what an update gives a new name is somebody's, and may be who asks
  const renamed = kind === 'create' ? withNewNames(given, body, context) : null
  const again = renamed && (await taken(renamed))
  if (again) return again

  const less = await withoutNamed(given, refusal, ask)
  if (less !== null || isFault) return less
  return await withRequired(given, body, taken)
}

/** Whether the list at the address of the request has more than when it was first read. */
async function hasGrown({ path, origin }: Operation, context: Context): Promise<boolean> {
  const reader = context.operations.find(
    (one) => one.method === 'GET' && one.path === path && one.origin === origin && one.kind === 'read',
  )
  const before = reader && lengthOf(context.seen(reader))
  if (reader === undefined || before === undefined) return false
  const now = lengthOf(await context.attempt(reader))
  return now !== undefined && now > before
}

/** Of the list that an answer is, or has as one of its members. */
function lengthOf(exchange: Exchange | null | undefined): number | undefined {
  const json = exchange && exchange.answer.status < 300 ? readJson(exchange.text) : undefined
  const list = isObject(json) ? Object.values(json).find(isList) : json
  return isList(list) ? list.length : undefined
}

const UNIQUE = /^(e?mail|emailaddress|user|username|login|nick|nickname|handle)$/

/** Names and addresses that nobody has yet, where the description gives none. */
function withNewNames(given: Operation, body: JsonBody | GraphqlBody, context: Context): Operation | null {
  const changes = leavesOf(treeOf(body), schemaOf(body)).flatMap((leaf) => {
    if (typeof leaf.value !== 'string' || !isMadeUpValue(leaf.schema) || !UNIQUE.test(leafName(leaf.name))) return []
    const word = context.word()
    return [
      { point: { place: 'json' as const, ...leaf }, value: leaf.value.includes('@') ? `${word}@example.com` : word },
    ]
  })
  return changes.length === 0 ? null : withTree(given, body, changeJson(treeOf(body), changes))
}

/** What says how far something reaches, whom it reaches, or that it is only tried: without it more is done. */
const REACHES =
  /^(where|filters?|query|criteria|conditions?|match|selector|scope|limit|only|except|exclude|to|recipients?|audience|segment|users|members|accounts|groups|emails|dryrun|isdryrun|test|istest|testmode|preview|simulate|isdraft|draft|sandbox|validateonly|validate|confirm)$|ids$/
/** What a change is of. */
const NAMES_THING = /(id|uuid|guid|key|slug)$/

/** Whether a member may be left out at all; a change leaves nobody without the name to sign in with. */
function mayBeLeftOut(given: Operation, way: string): boolean {
  const name = leafName(way)
  if (REACHES.test(name) || given.fixed?.some((one) => `${one}.`.startsWith(`${way}.`))) return false
  return given.kind === 'create' || !(NAMES_THING.test(name) || UNIQUE.test(name))
}

/** Without the members that refusals name, one after the other. */
async function withoutNamed(
  given: Operation,
  refusal: Exchange,
  ask: (operation: Operation) => Promise<Exchange | null>,
): Promise<Answered | null> {
  const kept = new Set<string>()
  let left = given
  let said = refusal
  for (let count = 0; count < MOST_NAMED; count += 1) {
    const named = namedIn(left, said.text, kept)
    const less = named === null ? null : without(left, named)
    const next = less === null ? null : await ask(less)
    if (named === null || less === null || next === null) return null
    if (next.answer.status < 400 && !isRefused(next, less)) return { operation: less, exchange: next }
    const isNeeded = namedIn(left, next.text, kept) === named
    if (isNeeded) kept.add(named)
    else {
      left = less
      said = next
    }
  }
  return null
}

/** The way to the outermost optional member that a refusal names first. */
function namedIn(given: Operation, text: string, kept: ReadonlySet<string>): string | null {
  const { body } = given
  if (body?.type !== 'json' && body?.type !== 'graphql') return null
  const said = sentenceOf(text)
  let found: { way: string; at: number } | null = null
  const look = (value: Json, schema: Schema | undefined, way: string): void => {
    if (isList(value)) look(value[0] ?? null, schema?.items, `${way}.0`)
    if (!isObject(value)) return
    for (const [name, inner] of Object.entries(value)) {
      const here = way === '' ? name : `${way}.${name}`
      if (!mayBeLeftOut(given, here)) continue
      // the variables of GraphQL are declared, and an input object is what they hold
      const isOptional = (way !== '' || body.type === 'json') && !schema?.required?.includes(name) && !kept.has(here)
      const at = said.search(new RegExp(`(?<![\\w.])${name.replace(/\W/g, '.')}(?!\\w)`))
      if (isOptional && at >= 0 && (found === null || at < found.at)) found = { way: here, at }
      if (here.split('.').length < DEEPEST) look(inner, schema?.properties?.[name], here)
    }
  }
  look(treeOf(body), schemaOf(body), '')
  return (found as { way: string } | null)?.way ?? null
}

const DEEPEST = 4

/** What a refusal says, without the values that it repeats and without traces. */
function sentenceOf(text: string): string {
  const json = readJson(text.slice(0, 200_000))
  const said = json === undefined ? [text.slice(0, 400)] : textsIn(json, 0)
  return said
    .map((one) => one.replace(/\{[^{}]*\}/g, ' ').replace(/\{.*/s, (rest) => / at path .*/.exec(rest)?.[0] ?? ' '))
    .join(' ')
    .slice(0, 4_000)
}

function textsIn(json: Json, depth: number): string[] {
  if (depth > 5) return []
  if (typeof json === 'string') return [json.slice(0, 400)]
  if (isList(json)) return json.slice(0, 10).flatMap((one) => textsIn(one, depth + 1))
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([name, one]) =>
    /stack|trace|locations|input|data/i.test(name) ? [] : textsIn(one, depth + 1),
  )
}

/** What the description requires, and of the rest what is taken beside it. */
async function withRequired(
  given: Operation,
  body: JsonBody | GraphqlBody,
  taken: (operation: Operation) => Promise<Answered | null>,
): Promise<Answered | null> {
  const schema = schemaOf(body)
  const value = treeOf(body)
  if (!schema?.required || !isObject(value)) return null
  const optional = Object.keys(value).filter((name) => !schema.required?.includes(name) && mayBeLeftOut(given, name))
  if (optional.length === 0) return null
  let best = await taken(withTree(given, body, lessOf(value, optional)))
  let left = optional
  for (const name of best === null ? [] : optional.slice(0, MOST_OPTIONAL)) {
    const fewer = left.filter((one) => one !== name)
    const more = await taken(withTree(given, body, lessOf(value, fewer)))
    if (more === null) continue
    best = more
    left = fewer
  }
  return best
}

const lessOf = (value: { readonly [name: string]: Json }, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/** Without the member that a way leads to. */
function without(given: Operation, way: string): Operation | null {
  const { body } = given
  if (body?.type !== 'json' && body?.type !== 'graphql') return null
  const drop = (value: Json, [name = '', ...rest]: readonly string[]): Json => {
    if (isList(value)) return value.map((one, index) => (String(index) === name ? drop(one, rest) : one))
    if (!isObject(value)) return value
    return rest.length === 0 ? lessOf(value, [name]) : { ...value, [name]: drop(value[name] ?? null, rest) }
  }
  return withTree(given, body, drop(treeOf(body), way.split('.')))
}

type JsonBody = Extract<Body, { type: 'json' }>
type GraphqlBody = Extract<Body, { type: 'graphql' }>

const treeOf = (body: JsonBody | GraphqlBody): Json => (body.type === 'json' ? body.value : body.variables)
const schemaOf = (body: JsonBody | GraphqlBody): Schema | undefined => (body.type === 'json' ? body.schema : undefined)

function withTree(given: Operation, body: JsonBody | GraphqlBody, tree: Json): Operation {
  if (body.type === 'json') return { ...given, body: { ...body, value: tree } }
  return isObject(tree) ? { ...given, body: { ...body, variables: tree } } : given
}
