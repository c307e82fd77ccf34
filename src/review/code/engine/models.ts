// Models the collections and string builders of all languages, recognised by the names of their methods.

import type { Constant } from '../tree.ts'
import { allFlows, cleanedOf, constantValue, flowing, join, nothing, put, unite, type Value } from './value.ts'

/** What a method returns, and the new value of its object if the method changes it. */
type Outcome = { value: Value; receiver?: Value }

const adding = new Set([
  'append',
  'add',
  'push',
  'addLast',
  'addElement',
  'offer',
  'push_back',
  'array_push',
  'Add',
  'WriteString',
  'concat',
])
const inserting = new Set([
  'insert',
  'unshift',
  'addFirst',
  'appendleft',
  'prepend',
  'extend',
  'addAll',
  'putAll',
  'update',
  'replace',
  'Write',
  'merge',
])
const setting = new Set([
  'put',
  'set',
  'setdefault',
  'setProperty',
  'setAttribute',
  'putIfAbsent',
  'setItem',
  'Set',
  'offsetSet',
  'header',
  'setFeature',
])
const getting = new Set([
  'get',
  'getOrDefault',
  'at',
  'elementAt',
  'getItem',
  'getProperty',
  'getlist',
  'getFirst',
  'getAttribute',
])
const taking = new Set(['remove', 'pop', 'shift', 'removeFirst', 'poll', 'pop_front', 'delete'])
const emptying = new Set(['clear', 'removeAllElements'])
/** These return a number or a boolean, whatever the object is. */
const telling = new Set(
  'indexOf lastIndexOf length size equals equalsIgnoreCase startsWith endsWith contains containsKey includes matches test isEmpty compareTo hashCode count has hasMoreElements hasNext hasOwnProperty startswith endswith isdigit isalnum isalpha isnumeric isdecimal exists is_file intValue longValue localeCompare search charCodeAt codePointAt index rfind isPresent getTime byteLength'.split(
    ' ',
  ),
)

const keyOf = (value: Value | undefined): string | null => {
  const constant: Constant | undefined = value?.constant
  if (constant !== undefined) return constant === null ? null : String(constant)
  // A library's constant is known by its name alone.
  const path = value?.flows.length === 0 ? value.paths[0] : undefined
  return path !== undefined && /^[\w.]+$/.test(path) ? path : null
}

/** Null if the method is not modelled. */
export function modelled(
  name: string,
  receiver: Value,
  given: readonly Value[],
  paths: readonly string[],
): Outcome | null {
  const [first, second] = given
  if (telling.has(name)) return { value: nothing }
  const isParser = paths.some((path) => path.includes('ConfigParser'))
  if (isParser && name === 'set' && given.length === 3)
    return { value: nothing, receiver: put(receiver, keys(first, second), given[2] ?? nothing) }
  if (isParser && name === 'get' && given.length >= 2) return { value: held(receiver, keys(first, second)) }
  const isWritten =
    (name === 'write' || name === 'writelines') &&
    paths.some((path) => /String(?:IO|Writer|Buffer|Builder)|BytesIO/.test(path))
  if (adding.has(name) || isWritten) {
    if (!first) return null
    if (given.length === 1) {
      const isPlain = receiver.items === null
      const after = isPlain ? absorbed(receiver, first) : put(receiver, null, first)
      return {
        value: name === 'concat' ? absorbed(receiver, first) : after,
        receiver: name === 'concat' ? receiver : after,
      }
    }
    return { value: receiver, receiver: given.reduce<Value>((all, each) => loosened(all, each), receiver) }
  }
  if (inserting.has(name) && receiver.items) {
    if ((name === 'update' || name === 'putAll') && first?.items)
      return { value: nothing, receiver: joined(receiver, first) }
    return { value: receiver, receiver: given.reduce<Value>((all, each) => loosened(all, each), receiver) }
  }
  const property = /^set([A-Z]\w*)$/.exec(name)?.[1]
  if (property && first && given.length === 1) {
    const after = put(receiver, property, first)
    return { value: after, receiver: after }
  }
  const asked = /^(?:get|is)([A-Z]\w*)$/.exec(name)?.[1]
  if (asked && given.length === 0 && receiver.items) return propertyOf(receiver, asked)
  if (setting.has(name) && given.length === 2 && second)
    return { value: receiver, receiver: put(receiver, keyOf(first), second) }
  if (getting.has(name) && receiver.items && given.length >= 1)
    return { value: join(held(receiver, keyOf(first)), second ?? nothing) }
  if (taking.has(name) && receiver.items) return taken(name, receiver, first)
  if (emptying.has(name))
    return { value: nothing, receiver: { ...nothing, items: new Map(), length: 0, paths: receiver.paths } }
  return null
}

/** A getter returns what its setter or field was given. If that was never set, it returns what others of a similar name were given. */
function propertyOf(receiver: Value, asked: string): Outcome | null {
  const own = receiver.items?.get(asked) ?? receiver.items?.get(asked.charAt(0).toLowerCase() + asked.slice(1))
  if (own) return { value: own }
  if (allFlows(receiver).length === 0) return null
  const isLike = (name: string) => name.includes(asked) || asked.includes(name)
  const set = [...(receiver.items ?? [])].filter(([name]) => /^[A-Z]/.test(name))
  if (set.length === 0 || set.some(([name]) => isLike(name))) return null
  return { value: flowing(receiver.rest ? unite(receiver.flows, allFlows(receiver.rest)) : receiver.flows) }
}

const keys = (section: Value | undefined, key: Value | undefined): string | null =>
  keyOf(section) === null || keyOf(key) === null ? null : `${keyOf(section)}\0${keyOf(key)}`

/** The value under a key: what was put there, or what may have been put under an unknown key. */
function held(receiver: Value, key: string | null): Value {
  if (key === null) return flowing(allFlows(receiver))
  const item = receiver.items?.get(key)
  if (item && !receiver.rest) return item
  const others = unite(receiver.flows, receiver.rest ? allFlows(receiver.rest) : [])
  return item ? { ...item, flows: unite(item.flows, others) } : flowing(others)
}

/** A string builder after something was appended. */
function absorbed(receiver: Value, more: Value): Value {
  const flows = allFlows(more)
  const isFirst = receiver.flows.length === 0
  const before = (receiver.prefix ?? '') + (typeof receiver.constant === 'string' ? receiver.constant : '')
  return {
    ...receiver,
    constant: undefined,
    flows: unite(receiver.flows, flows),
    prefix: isFirst ? before + (flows.length > 0 ? (more.prefix ?? '') : String(more.constant ?? '')) : receiver.prefix,
    opening: isFirst && flows.length > 0 ? before + (more.opening ?? '') : receiver.opening,
  }
}

const loosened = (receiver: Value, more: Value): Value => {
  const flows = allFlows(more)
  if (receiver.items === null) return { ...receiver, constant: undefined, flows: unite(receiver.flows, flows) }
  return {
    ...receiver,
    length: null,
    rest: flows.length > 0 ? join(receiver.rest ?? nothing, flowing(flows)) : receiver.rest,
  }
}

function joined(receiver: Value, more: Value): Value {
  let made = receiver
  for (const [key, item] of more.items ?? []) made = put(made, key, item)
  return more.rest ? loosened(made, more.rest) : made
}

function taken(name: string, receiver: Value, first: Value | undefined): Outcome {
  const { items, length } = receiver
  if (length === null) {
    const key = keyOf(first)
    const left = new Map(items ?? [])
    if (key !== null) left.delete(key)
    return { value: held(receiver, key), receiver: { ...receiver, items: left } }
  }
  const isLast = !first && name === 'pop'
  const place = isLast ? length - 1 : Number(first ? first.constant : 0)
  if (!Number.isInteger(place)) return { value: flowing(allFlows(receiver)) }
  const at = place < 0 ? length + place : place
  const left = new Map<string, Value>()
  for (let n = 0; n < length; n++) {
    const item = items?.get(String(n))
    if (item && n !== at) left.set(String(n < at ? n : n - 1), item)
  }
  return {
    value: items?.get(String(at)) ?? nothing,
    receiver: { ...receiver, items: left, length: Math.max(length - 1, 0) },
  }
}

const replacing = new Set([
  'replace',
  'replaceAll',
  'str_replace',
  'ReplaceAll',
  'Replace',
  'preg_replace',
  'sub',
  'replaceFirst',
])

/** The kinds of rules against which replacing a dangerous character protects. */
const byCharacter: [RegExp, string[]][] = [
  [/['"]/, ['xpath', 'sql', 'code']],
  [/[<>&]/, ['html']],
  [/\.\./, ['path']],
  [/\\[nr]|[\r\n]/, ['log', 'header']],
  [/[*()]/, ['ldap']],
]

/** Removing this once can leave another one behind: `....//`. */
const UP = /\.\.[/\\]/

/** The kinds of rules against which replacing this text protects. */
export const harmlessReplacing = (text: string): readonly string[] =>
  [...byCharacter, ...shells].flatMap(([characters, harmless]) => (characters.test(text) ? harmless : []))

const shells: [RegExp, string[]][] = [[/[;|&$`]/, ['command']]]

/** The kinds of rules against which a text is harmless if this expression does not match it. */
export function harmlessWithout(expression: string): readonly string[] {
  const [, body = expression] = /^[/#~](.*)[/#~][a-z]*$/s.exec(expression) ?? []
  if (/^\(?\[\^[^\]]+\][+*]?\)?$/.test(body)) return ['*']
  const [, dangerous = ''] = /^\(?\[([^\]^][^\]]*)\][+*]?\)?$/.exec(body) ?? []
  if (/[a-zA-Z]-[a-zA-Z]|0-9|\\[wd]/.test(dangerous)) return []
  const kinds = [...harmlessReplacing(dangerous)]
  if (/^\(?(?:\^|[\\/]*)?\\?\.\\?\.(?:[\\/]|\[[\\/]+\])*\)?$/.test(body)) kinds.push('path')
  return kinds
}

/**
 * A replacement by expression of all but harmless characters leaves nothing; one of a single character takes its harm.
 * `isOnce`: a text, or an expression that does not ask for all, is replaced where it stands first alone.
 */
export function replaced(name: string, receiver: Value | null, given: readonly Value[], isOnce: boolean): Value | null {
  if (!replacing.has(name)) return null
  const all = receiver && receiver.flows.length > 0 ? [receiver, ...given] : given
  const flows = all.reduce<Value['flows']>((sum, each) => unite(sum, allFlows(each)), [])
  const wanted = given.find(({ constant }) => typeof constant === 'string' && constant !== '')?.constant
  const inList = given[0]?.items ? [...given[0].items.values()].map(({ constant }) => constant).join('') : ''
  const sought = typeof wanted === 'string' ? wanted + inList : inList
  if (isOnce && !/^\/.*\/[a-z]*g[a-z]*$/s.test(sought)) return flowing(flows)
  if (/\/\\W\+?\/|\[\^(?:\\w|a-z|A-Z|0-9|\\d|[-_. ])+\]/.test(sought)) return nothing
  const kinds = byCharacter
    .flatMap(([characters, harmless]) => (characters.test(sought) ? harmless : []))
    .filter((kind) => kind !== 'path' || !UP.test(sought.replace(/^\/(.*)\/[a-z]*$/s, '$1')))
  // A quote that ends the quoted text, stands escaped, and begins it again: as a shell wants it.
  if (given.some(({ constant }) => typeof constant === 'string' && /'\\?\\''|'"'"'/.test(constant)))
    kinds.push('command')
  if (receiver && typeof receiver.constant === 'string' && flows.length === 0) return constantValue(receiver.constant)
  return flowing(cleanedOf(flows, kinds))
}
