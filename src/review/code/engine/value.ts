// What is known of a value: where it came from, what it equals, what it holds, and by which names it is known.

import type { Constant, Routine } from '../tree.ts'
import type { Environment } from './environment.ts'

/** A step of a flow; `before` leads back to its source. */
export type Step = { line: number; column: number; before: Step | null }

/**
 * Outside data on its way. `origin` distinguishes the sources of one reading; `cleaned` has the kinds of rules that it no
 * longer concerns, '*' for all. `whole`: an object of all parameters, headers or fields. A part of it is a source of its
 * own, with the object as `parent`.
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
  /** undefined if it is not known */
  constant: Constant | undefined
  /** dotted names: its types, imports, and the calls that created it */
  paths: readonly string[]
  /** an import under an alias, which has no meaning for patterns */
  isRenamed?: boolean | undefined
  /** its entries by key, if it is a collection or an object created here */
  items: ReadonlyMap<string, Value> | null
  /** what it may hold under unknown keys */
  rest: Value | null
  /** the length of a list, if it is known */
  length: number | null
  closure: Closure | null
  /** the class of this file of which it is an instance */
  owner: string | null
  /** the text before the first outside part, with UNKNOWN for unknown text; null if it is not a string built here */
  prefix: string | null
  /** the same before the first part that an unseen caller may have passed */
  opening: string | null
}

/** Stands in a prefix for unknown text that does not come from outside. */
export const UNKNOWN = '\ufffc'

const MOST_FLOWS = 6
/** The most of them that may come from parameters. */
const MOST_GIVEN = 2

/** The label of an argument from a caller that is not visible. */
export const GIVEN = 'parameter'

/** The name of something that the same file defines in another piece. */
export const HERE = './'

/** The label of a name in a string that nothing in the piece of code binds. */
export const UNBOUND = 'unbound'

/** The label of input from whoever starts the program: arguments and what is typed. Rules treat it like a parameter. */
export const INPUT = 'input'

export const isOutside = ({ label }: Flow): boolean => label !== GIVEN && label !== UNBOUND && label !== INPUT

/** Whether the parts of such a value come from outside just as the whole does. */
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

/** Joins two lists. Of two flows with the same origin, label and `cleaned`, the first is kept. */
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

/** All flows in the value and in its entries. Values are immutable, so the result is kept. */
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

/** How deeply collections are nested. */
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
/** The most keys of one collection that are distinguished. */
const MOST_ITEMS = 200

/** What a collection keeps of a value: only the flows if the value is deeply nested itself. */
const held = (value: Value): Value => (depthOf(value) < DEEPEST ? value : flowing(allFlows(value)))

/** The object with a value under a key. A null key appends to a list of known length; otherwise the value goes into `rest`. */
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

/** The flows that a number still carries: only that it is predictable. */
export const numeric = (flows: readonly Flow[]): readonly Flow[] =>
  flows.length === 0 ? flows : flows.filter(({ label }) => label === 'random')

/** The same flows, harmless for rules of these kinds. */
export const cleanedOf = (flows: readonly Flow[], kinds: readonly string[]): readonly Flow[] =>
  kinds.includes('*')
    ? numeric(flows)
    : flows.map((flow) => ({ ...flow, cleaned: new Set([...flow.cleaned, ...kinds]) }))

/** The flows with one more step, unless their last step is on that line. */
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

/** What is known of a value that may be either of the two. */
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
  if (typeof one.constant === 'string' && typeof other.constant === 'string' && one.constant !== other.constant)
    return commonBeginning(one.constant, other.constant) + UNKNOWN
  if (one.prefix === other.prefix) return one.prefix
  if (!one.flows.some(isOutside)) return other.prefix
  return !other.flows.some(isOutside) ? one.prefix : null
}

function commonBeginning(one: string, other: string): string {
  let end = 0
  while (end < one.length && one[end] === other[end]) end++
  return one.slice(0, end)
}
