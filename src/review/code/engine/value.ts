// What is known of a value: where it came from, what it equals, what it holds, and by which names it is known.

import type { Constant, Routine } from '../tree.ts'
import type { Environment } from './environment.ts'

/** A station of a flow; `before` leads back to its source. */
export type Step = { line: number; column: number; before: Step | null }

/**
 * Outside data on its way. `origin` tells the sources of one reading apart; `cleaned` names what it no longer harms, '*'
 * all. `whole`: all parameters, headers or fields at once, of which a part is a source of its own, with that as `parent`.
 */
export type Flow = {
  label: string
  origin: number
  last: Step
  cleaned: ReadonlySet<string>
  whole: boolean
  parent: number | null
}

export type Closure = { routine: Routine; environment: Environment; self: Value | null }

export type Value = {
  flows: readonly Flow[]
  /** undefined where it is not known */
  constant: Constant | undefined
  /** dotted names of what it is: types, imports, calls that made it */
  paths: readonly string[]
  /** a part of a module under another name than its own, which means nothing that patterns know */
  isRenamed?: boolean | undefined
  /** what it holds by key, where it is a collection or an object made here */
  items: ReadonlyMap<string, Value> | null
  /** what it may hold under keys that are not known */
  rest: Value | null
  /** of a list, where it is known */
  length: number | null
  closure: Closure | null
  /** the class of this file of which it is an instance */
  owner: string | null
  /** the text before its first outside part; unknown text is UNKNOWN; null where it is not a text made here */
  prefix: string | null
  /** the same before the first part that a caller in other code may have given */
  opening: string | null
}

/** Stands in a prefix for text that is not known and does not come from outside. */
export const UNKNOWN = '\ufffc'

const MOST_FLOWS = 6
/** Of them, those of parameters. */
const MOST_GIVEN = 2

/** The label of what a function was given by a caller that is not seen. */
export const GIVEN = 'parameter'

/** The name of what the same file defines, out of sight of the piece that calls it. */
export const HERE = './'

/** The label of a name in a text that nothing bound in the piece of code. */
export const UNBOUND = 'unbound'

/** The label of what whoever starts a program gives it: arguments, what is typed. Rules take it as they take a parameter. */
export const INPUT = 'input'

export const isOutside = ({ label }: Flow): boolean => label !== GIVEN && label !== UNBOUND && label !== INPUT

/** Whether a part of such a value is as foreign as the whole. */
export const isForeign = (flow: Flow): boolean => isOutside(flow) || flow.label === INPUT
const MOST_PATHS = 4

export const nothing: Value = {
  flows: [],
  constant: undefined,
  paths: [],
  items: null,
  rest: null,
  length: null,
  closure: null,
  owner: null,
  prefix: null,
  opening: null,
}

export const constantValue = (constant: Constant): Value => ({ ...nothing, constant })
export const called = (paths: readonly string[]): Value => (paths.length === 0 ? nothing : { ...nothing, paths })
export const flowing = (flows: readonly Flow[]): Value => (flows.length === 0 ? nothing : { ...nothing, flows })

const none: ReadonlySet<string> = new Set()
export const newFlow = (label: string, origin: number, line: number, column: number, whole: boolean): Flow => ({
  whole,
  parent: null,
  label,
  origin,
  last: { line, column, before: null },
  cleaned: none,
})

const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one === other || (one.size === other.size && [...one].every((each) => other.has(each)))

/** Both lists without repetition: of two flows of one origin that lost the same harm, the first stays. */
export function unite(one: readonly Flow[], other: readonly Flow[]): readonly Flow[] {
  if (other.length === 0 || one === other) return one
  if (one.length === 0) return other
  const all = [...one]
  for (const flow of other) {
    if (all.length >= MOST_FLOWS) break
    const isKnown = all.some(
      ({ origin, label, cleaned }) => origin === flow.origin && label === flow.label && sameSet(cleaned, flow.cleaned),
    )
    if (!isKnown && (isOutside(flow) || all.length < MOST_GIVEN)) all.push(flow)
  }
  return all
}

const flowsWithin = new WeakMap<Value, readonly Flow[]>()

/** Every flow in the value and in what it holds. Values never change, so that each is looked through once. */
export function allFlows(value: Value): readonly Flow[] {
  if (value.items === null && value.rest === null) return value.flows
  const known = flowsWithin.get(value)
  if (known) return known
  let flows = value.flows
  for (const item of value.items?.values() ?? []) flows = unite(flows, allFlows(item))
  if (value.rest) flows = unite(flows, allFlows(value.rest))
  flowsWithin.set(value, flows)
  return flows
}

const depths = new WeakMap<Value, number>()

/** How deep collections lie in collections. */
function depthOf(value: Value): number {
  if (value.items === null && value.rest === null) return 0
  const known = depths.get(value)
  if (known !== undefined) return known
  let depth = value.rest ? depthOf(value.rest) : 0
  for (const item of value.items?.values() ?? []) depth = Math.max(depth, depthOf(item))
  depths.set(value, depth + 1)
  return depth + 1
}

const DEEPEST = 4
/** Keys of one collection that are known apart. */
const MOST_ITEMS = 200

/** What a collection keeps of a value: of one that is deep itself, its flows alone. */
const held = (value: Value): Value => (depthOf(value) < DEEPEST ? value : flowing(allFlows(value)))

/** The object with a value under a key; a key of null adds to a list whose length is known, else to what may be held. */
export function put(object: Value, key: string | null, value: Value): Value {
  const kept = held(value)
  const size = object.items?.size ?? 0
  if (key !== null && (size < MOST_ITEMS || object.items?.has(key)))
    return { ...object, constant: undefined, items: new Map(object.items ?? []).set(key, kept) }
  if (key === null && object.items && object.length !== null && size < MOST_ITEMS)
    return { ...object, items: new Map(object.items).set(String(object.length), kept), length: object.length + 1 }
  const flows = allFlows(kept)
  if (flows.length === 0) return object.items?.size === 0 && !object.rest ? { ...object, rest: nothing } : object
  return { ...object, length: null, rest: join(object.rest ?? nothing, flowing(flows)) }
}

/** What a number still carries: that it can be foreseen. */
export const numeric = (flows: readonly Flow[]): readonly Flow[] =>
  flows.length === 0 ? flows : flows.filter(({ label }) => label === 'random')

/** The same flows, harmless to what `kinds` name. */
export const cleanedOf = (flows: readonly Flow[], kinds: readonly string[]): readonly Flow[] =>
  kinds.includes('*')
    ? numeric(flows)
    : flows.map((flow) => ({ ...flow, cleaned: new Set([...flow.cleaned, ...kinds]) }))

/** The flows with one more station, unless they stand on that line already. */
export const stepped = (flows: readonly Flow[], line: number, column: number): readonly Flow[] =>
  flows.map((flow) => (flow.last.line === line ? flow : { ...flow, last: { line, column, before: flow.last } }))

const joinedPaths = (one: readonly string[], other: readonly string[]): readonly string[] => {
  if (other.length === 0 || one === other) return one
  if (one.length === 0) return other
  return [...new Set([...one, ...other])].slice(0, MOST_PATHS)
}

function joinedItems(one: Value, other: Value, depth: number): ReadonlyMap<string, Value> | null {
  if (!one.items || !other.items) return one.items ?? other.items
  const items = new Map(one.items)
  for (const [key, item] of other.items) {
    const known = items.get(key)
    items.set(key, known ? join(known, item, depth + 1) : item)
  }
  return items
}

/** What is known where either may have come about. */
export function join(one: Value, other: Value, depth = 0): Value {
  if (one === other || depth > 6) return one
  if (one === nothing && other.flows.length === 0 && !other.items && !other.rest) return withoutConstant(other)
  const flows = unite(one.flows, other.flows)
  return {
    flows,
    constant: one.constant === other.constant ? one.constant : undefined,
    paths: joinedPaths(one.paths, other.paths),
    items: joinedItems(one, other, depth),
    rest: one.rest && other.rest ? join(one.rest, other.rest, depth + 1) : (one.rest ?? other.rest),
    length: one.length === other.length ? one.length : null,
    closure: one.closure ?? other.closure,
    owner: one.owner ?? other.owner,
    prefix: joinedPrefix(one, other),
    opening: one.opening ?? other.opening,
  }
}

const withoutConstant = (value: Value): Value =>
  value.constant === undefined ? value : { ...value, constant: undefined }

function joinedPrefix(one: Value, other: Value): string | null {
  if (one.prefix === other.prefix) return one.prefix
  if (!one.flows.some(isOutside)) return other.prefix
  return !other.flows.some(isOutside) ? one.prefix : null
}
