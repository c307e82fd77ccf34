// What one check establishes about outside data: a format, a prefix, equality with something known, membership of a list.

import type { Expression } from '../tree.ts'
import { type Environment, guard } from './environment.ts'
import { pathsOf, read } from './expressions.ts'
import { harmlessWithout } from './models.ts'
import { type Reading, withdraw } from './reading.ts'
import { allFlows, isOutside, type Value } from './value.ts'

const expressive = /(?:^|[._])re$|regexp?$|pattern$|_rx$|re\.compile$/i
/** Parts of a path or an address that decide where it leads: if they equal something known, it leads to a known place. */
const part =
  /^(?:commonpath|commonprefix|dirname|getParent|parent|parents|getHost|host|hostname|origin|netloc|Host|Hostname|getAuthority|authority)$/
/** Substrings by position: one that begins at 0 is the beginning of the string. */
const cutting = /^(?:slice|substring|substr)$/
/** Marks a normalised path: only for those does the prefix say where they lead. */
const NORMAL = 'normal'

const ELSEWHERE = ['redirect', 'ssrf', 'log']
export const PLACES = ['path', ...ELSEWHERE]

/** If the value names the sender of the message that it belongs to, the whole message counts as checked. */
export function vouch({ book }: Reading, value: Value, environment: Environment): void {
  if (value.flows.length === 0 || book.vouching.find(value.paths).length === 0) return
  for (const { parent } of value.flows) if (parent !== null) guard(environment, parent, ['*'])
}

export const nameOf = ({ callee }: Expression & { k: 'call' }) =>
  callee.k === 'member' || callee.k === 'name' ? callee.name : ''

/** The object and the arguments of a call. */
export const partiesOf = ({ callee, arguments: given }: Expression & { k: 'call' }): Expression[] => [
  ...(callee.k === 'member' ? [callee.object] : []),
  ...given.map(({ value }) => value),
]

/** Whether something is a regular expression, by its literal or its name. */
export function isExpression(reading: Reading, each: Expression, environment: Environment): boolean {
  const value = read(reading, each, environment)
  if (typeof value.constant === 'string') return /^\/.+\/[a-z]*$/s.test(value.constant)
  return pathsOf(each, value).some((path) => expressive.test(path.replace(/\(\)$/, '')))
}

/** A string that matches a required form is harmless. One that does not match a dangerous form is harmless for the rules that this form is about. */
export function refineForm(
  reading: Reading,
  call: Expression & { k: 'call' },
  truth: boolean,
  environment: Environment,
): void {
  const parties = partiesOf(call)
  const kinds = parties.flatMap((each) => {
    const { constant } = read(reading, each, environment)
    return typeof constant === 'string' ? harmlessWithout(constant) : []
  })
  if (kinds.length === 0 && truth) check(reading, parties, ['*'], environment)
  if (kinds.length > 0 && !truth) check(reading, parties, kinds, environment)
}

/** A string with the expected prefix leads where the prefix says; a path that does not begin with `..` stays within its folder. */
export function refineBeginning(
  reading: Reading,
  call: Expression & { k: 'call' },
  truth: boolean,
  environment: Environment,
): void {
  const parties = partiesOf(call)
  const isUp = parties.some((each) => {
    const { constant, prefix } = read(reading, each, environment)
    return /^\.\.?(?:[/\\]|\ufffc|$)/.test(typeof constant === 'string' ? constant : (prefix ?? ''))
  })
  if (isUp === truth) return
  for (const each of parties) {
    const value = read(reading, each, environment)
    guardAll(reading, value, isMadeWhole(value) ? PLACES : isUp ? [] : ELSEWHERE, environment)
  }
}

/** Whether all of it was normalised. */
const isMadeWhole = (value: Value): boolean => allFlows(value).every(({ cleaned }) => cleaned.has(NORMAL))

/** If a deciding part of a path or an address equals something that is not from outside, it leads to a known place. */
export function equatePart(reading: Reading, left: Expression, right: Expression, environment: Environment): void {
  for (const [whole, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const name = whole.k === 'call' ? nameOf(whole) : whole.k === 'member' ? whole.name : ''
    if (whole.k === 'call' && cutting.test(name)) {
      if (equateCut(reading, whole, read(reading, other, environment), environment)) return
      continue
    }
    if (!part.test(name) || allFlows(read(reading, other, environment)).length > 0) continue
    const parties = whole.k === 'call' ? partiesOf(whole) : [whole]
    check(reading, parties, PLACES, environment)
    return
  }
}

/** A value that equals a string literal may be a file name's extension, which says what kind of file it is. */
export function nameEnding(reading: Reading, left: Expression, right: Expression, environment: Environment): void {
  const [other, text] = right.k === 'constant' ? [left, right] : [right, left]
  if (text.k !== 'constant' || typeof text.value !== 'string' || text.value === '') return
  for (const { origin } of allFlows(read(reading, other, environment))) guard(environment, origin, ['upload'])
}

/** A string that begins with a known host or a folder of the site leads there; a normalised path stays there. */
function equateCut(
  reading: Reading,
  call: Expression & { k: 'call' },
  { constant, flows }: Value,
  environment: Environment,
): boolean {
  const given = call.arguments.map(({ value }) => value)
  const [whole, from] = call.callee.k === 'member' ? [call.callee.object, given[0]] : given
  if (!whole || !from || flows.length > 0 || read(reading, from, environment).constant !== 0) return false
  const value = read(reading, whole, environment)
  const isPlace = typeof constant !== 'string' || /^(?:[a-z][\w+.-]*:)?\/\/[^/]+\/|^\/[^/\\]/i.test(constant)
  const kinds = isMadeWhole(value) ? ['path', 'redirect', 'ssrf'] : ['redirect', 'ssrf']
  if (isPlace) guardAll(reading, value, kinds, environment)
  return true
}

/** `element in list`: an allowlist if the element is from outside, a forbidden substring if the list is. */
export function refineMembership(
  reading: Reading,
  element: Expression,
  list: Expression,
  isIn: boolean,
  environment: Environment,
): void {
  const [part, whole] = [read(reading, element, environment), read(reading, list, environment)]
  const isForeign = allFlows(part).length > 0
  if (isIn && !isForeign && list.k === 'member' && list.name === 'parents')
    guardAll(reading, whole, PLACES, environment)
  if (isForeign && !allFlows(whole).some(isOutside)) {
    if (isIn) guardAll(reading, part, ['*'], environment)
  } else if (!isForeign && part.constant !== undefined && !isIn) guardAll(reading, whole, ['*'], environment)
}

/** `text.indexOf(part)` found something or nothing. */
export function refineFound(
  reading: Reading,
  call: Expression & { k: 'call' },
  found: boolean,
  environment: Environment,
): void {
  const [first, second] = call.arguments.map(({ value }) => value)
  const { callee } = call
  // a name before a search of two values is a module, such as `strings`
  const isOfText = callee.k === 'member' && (callee.object.k !== 'name' || !second)
  const [whole, part] = isOfText ? [callee.object, first] : [first, second]
  if (whole && part) refineMembership(reading, part, whole, found, environment)
}

export function check(reading: Reading, expressions: Expression[], kinds: string[], environment: Environment): void {
  for (const expression of expressions) guardAll(reading, read(reading, expression, environment), kinds, environment)
}

function guardAll(reading: Reading, value: Value, kinds: string[], environment: Environment): void {
  vouch(reading, value, environment)
  for (const { origin } of allFlows(value)) {
    guard(environment, origin, kinds)
    withdraw(reading, origin, kinds)
  }
}
