// The value of a call to something unknown: its names, the data that it carries, the text that it starts with.

import type { Callee } from './calls.ts'
import { pathsOf } from './expressions.ts'
import { FORMATTING, formatted } from './formats.ts'
import type { Given } from './places.ts'
import { allFlows, called, isOutside, nothing, unite, type Value } from './value.ts'

const namedOf = (given: readonly Given[]): [string, Value][] =>
  given.flatMap(({ argument, value }) => (argument.name ? [[argument.name, value]] : []))

/** The settings of a new object: a constructor's named options, or those of the factory that creates it. */
export function settingsOf(name: string, receiver: Value | null, given: readonly Given[]): Value['items'] {
  if (/^(?:new|create|build|getXMLReader)/.test(name) && receiver?.items) return receiver.items
  if (!/^[A-Z]/.test(name)) return null
  const named = namedOf(given)
  return named.length > 0 ? new Map(named) : null
}

/** The names of a call's result: those of the function, followed by `()`. */
export const resultNamed = (paths: readonly string[], more: readonly string[] = []): Value =>
  called([...more, ...paths.map((path) => (path.startsWith('new ') ? path.slice(4) : `${path}()`))].slice(0, 4))

const request = /^(?:flask\.)?(?:request|req|HttpServletRequest|ServletRequest)$/

/** A wrapper around a request can be asked for the same data, so it gets this name as well. */
export const wrapping = (given: readonly Given[]): string[] =>
  given.some(({ argument, value }) => pathsOf(argument.value, value).some((path) => request.test(path)))
    ? ['WrappedRequest']
    : []

export const flowsOf = (values: readonly Value[]) =>
  values.reduce<Value['flows']>((sum, value) => unite(sum, allFlows(value)), [])

export const isMaker = (name: string) =>
  name === 'dict' || name === 'list' || name === 'set' || name === 'array' || name === 'make'

/** String builders. */
const BUILDER = /^new (?:java\.lang\.)?String(?:Builder|Buffer)$/

/** A new collection, or another new object made of the arguments. */
export function made(paths: readonly string[], given: readonly Given[], isNew: boolean): Value {
  const values = given.map(({ value }) => value)
  const [first] = values
  const named = resultNamed(paths, wrapping(given))
  const entries = namedOf(given)
  if (!isNew && entries.length > 0 && entries.length === given.length) return { ...named, items: new Map(entries) }
  if (isNew && values.length === 0 && paths.some((path) => BUILDER.test(path)))
    return { ...named, prefix: '', opening: '' }
  if (values.length === 0 || (!isNew && first?.constant !== undefined)) return { ...named, items: new Map(), length: 0 }
  if (values.length === 1 && first?.items) return { ...first, paths: named.paths }
  if (values.length === 1 && first && first.constant === undefined) {
    return { ...named, flows: allFlows(first), prefix: first.prefix, opening: first.opening, closure: first.closure }
  }
  const text = typeof first?.constant === 'string' ? first.constant : first?.prefix
  // What else it holds is unknown.
  const settings = isNew && values.length > 1 ? { items: new Map(), rest: nothing } : null
  return { ...named, ...settings, flows: flowsOf(values), prefix: text ?? null, opening: first?.opening ?? null }
}

/** Functions that return stored data or a yes or no: their result does not carry their arguments. */
const answering =
  /^(?:is|has|can|should|check|validate|verify|exists|count|find|fetch|load|query|save|insert|select|lookup|authenticate|authoriz|compare|hash|sign|digest|parseInt|parseFloat|parseLong|parseDouble|parseBoolean|execute|exec|send|write|print|log|delete|remove|commit)(?=[A-Z_\d]|$|One|All|Many|By)/

export function passing({ name, receiver }: Callee, values: readonly Value[], all: Value['flows']): Value['flows'] {
  if (answering.test(name)) return receiver ? receiver.flows : []
  if (receiver?.items && receiver.flows.length === 0 && name === 'get') return allFlows(receiver)
  return values.length === 0 && receiver ? allFlows(receiver) : all
}

/** The text of a format before its first value; for a function of one argument, the opening of that argument. */
export const openingOf = (name: string, receiver: Value | null, values: readonly Value[]): string | null =>
  FORMATTING.test(name)
    ? shapeOf(receiver, values, (flows) => flows.length > 0)
    : values.length <= 1
      ? ((receiver ?? values[0])?.opening ?? null)
      : null

/** Methods that return the same text in another form. */
const SAME = /^(?:toString|getBytes|toCharArray|encode|intern|valueOf|String|getvalue|getBuffer)$/

export function prefixOf(name: string, receiver: Value | null, values: readonly Value[]): string | null {
  if (receiver && values.length === 0 && SAME.test(name)) return receiver.prefix
  if (!FORMATTING.test(name)) return values.length === 1 && !receiver ? (values[0]?.prefix ?? null) : null
  return shapeOf(receiver, values, (flows) => flows.some(isOutside))
}

/** What a format, of the object or the first text among the values, begins with: up to the first value that `ends` it. */
function shapeOf(
  receiver: Value | null,
  values: readonly Value[],
  ends: (flows: Value['flows']) => boolean,
): string | null {
  const isOwn = typeof receiver?.constant === 'string'
  const at = isOwn ? -1 : values.findIndex(({ constant }) => typeof constant === 'string')
  const shape = isOwn ? receiver.constant : values[at]?.constant
  return typeof shape === 'string' ? formatted(shape, values.slice(at + 1), ends) : null
}
