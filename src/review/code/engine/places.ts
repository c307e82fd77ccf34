// Matches values against rules at the places that they reach: assignments, keys of objects, arguments of calls.

import { memberPath } from '../patterns.ts'
import type { Condition, Sink } from '../rule-file.ts'
import type { Argument, Expression, Place } from '../tree.ts'
import { hear } from './callbacks.ts'
import { type Environment, guard, unguard } from './environment.ts'
import { pathsOf, read } from './expressions.ts'
import { EVERYTHING, expressionOf, type Reading, reportFlaw, reportFlow } from './reading.ts'
import { answerOf } from './routines.ts'
import { allFlows, unite, type Value } from './value.ts'

/** The names of the target of an assignment. */
function targetPaths(reading: Reading, target: Expression, environment: Environment): string[] {
  switch (target.k) {
    case 'name':
      return [target.name]
    case 'member': {
      const object = read(reading, target.object, environment)
      return pathsOf(target.object, object)
        .map((path) => memberPath(path, target.name))
        .concat(`{}.${target.name}`)
    }
    case 'index': {
      const object = read(reading, target.object, environment)
      const key = target.key ? read(reading, target.key, environment).constant : undefined
      return pathsOf(target.object, object).map((path) => (key === undefined ? `${path}[]` : `${path}.${key}`))
    }
    default:
      return []
  }
}

export function checkAssigned(
  reading: Reading,
  expression: Expression & { k: 'assign' },
  value: Value,
  environment: Environment,
): void {
  const { assignSinks, assignFlaws } = reading.book
  const paths = targetPaths(reading, expression.target, environment)
  for (const fault of assignFlaws.find(paths)) {
    if (fault.flaw.where.every((condition) => meets(condition, value)))
      reportFlaw(reading, fault, expression.at, environment)
  }
  checkKey(reading, expression.target, paths, environment, expression.at)
  hear(reading, paths, value, environment, expression.at)
  const flows = allFlows(value)
  if (flows.length === 0) return
  for (const harm of assignSinks.find(paths)) {
    if (!harm.sink.args.includes('key')) reportFlow(reading, harm, value, flows, environment, expression.at)
  }
}

/** Outside data as a key that is assigned to: `session[key] = …`. */
function checkKey(reading: Reading, target: Expression, paths: string[], environment: Environment, at: Place): void {
  if (target.k !== 'index' || !target.key) return
  const key = read(reading, target.key, environment)
  if (key.flows.length === 0) return
  for (const harm of reading.book.assignSinks.find(paths)) {
    if (harm.sink.args.includes('key')) reportFlow(reading, harm, key, key.flows, environment, at)
  }
}

/** Treats each entry of a map as an assignment to a member of an unnamed object, and a map with a type as a call of it. */
export function checkEntries(
  reading: Reading,
  expression: Expression & { k: 'map' },
  made: Value,
  environment: Environment,
): void {
  const { assignSinks, assignFlaws, callFlaws } = reading.book
  for (const { key, value: given } of expression.entries) {
    if (key?.k !== 'constant') continue
    const value = made.items?.get(String(key.value))
    const paths = [`{}.${key.value}`, ...(expression.type ? [`${expression.type}.${key.value}`] : [])]
    if (!value) continue
    for (const fault of assignFlaws.find(paths))
      if (fault.flaw.where.every((condition) => meets(condition, value)))
        reportFlaw(reading, fault, key.at, environment)
    const flows = allFlows(value)
    if (flows.length === 0) continue
    for (const harm of assignSinks.find(paths))
      reportFlow(reading, harm, value, flows, environment, 'at' in given ? given.at : key.at)
  }
  if (expression.type === null) return
  for (const fault of callFlaws.find([expression.type])) {
    if (fault.flaw.where.every((condition) => meets(condition, made.items?.get(String(condition.arg))))) {
      reportFlaw(reading, fault, expression.at, environment)
    }
  }
}

/** An argument of a call with its value. */
export type Given = { argument: Argument; value: Value }

/** An argument by its position, its name, or its key in a map that is passed. */
function argumentAt(given: readonly Given[], place: number | string): Value | undefined {
  if (typeof place === 'number') {
    const positional = given.filter(({ argument }) => !argument.name)
    const spread = positional.find(({ argument }, at) => argument.spread && at <= place)
    return (spread ?? positional[place])?.value
  }
  const named = given.find(({ argument }) => argument.name === place)
  if (named) return named.value
  for (const { value } of given) {
    const item = value.items?.get(place)
    if (item && value.length === null) return item
  }
  return undefined
}

const argumentOf = (given: readonly Given[], { arg = 0 }: Condition, receiver: Value | null): Value | undefined =>
  arg === 'this' ? (receiver ?? undefined) : argumentAt(given, arg)

const isMet = (condition: Condition, given: readonly Given[], receiver: Value | null): boolean =>
  condition.arg === '*'
    ? given.some(({ value }) => meets(condition, value, given))
    : meets(condition, argumentOf(given, condition, receiver), given)

/** Treats a named argument like an entry of a map. */
function checkNamed(reading: Reading, given: readonly Given[], environment: Environment, at: Place): void {
  for (const { argument, value } of given) {
    if (argument.name === undefined || value.constant === undefined) continue
    for (const fault of reading.book.assignFlaws.find([`{}.${argument.name}`]))
      if (fault.flaw.where.every((condition) => meets(condition, value))) reportFlaw(reading, fault, at, environment)
  }
}

/** Whether it is imported from another file of the project: rules on a library's function of the same name do not apply. */
const isBeside = (path: string) => /^(?:new )?(?:\.|[@~]\/)/.test(path)

export function checkCall(
  reading: Reading,
  paths: readonly string[],
  given: readonly Given[],
  receiver: Value | null,
  environment: Environment,
  at: Place,
): void {
  const { callSinks, callFlaws, receiverSinks } = reading.book
  const origins = receiver === null ? paths.filter(isBeside) : []
  for (const fault of callFlaws.find(origins.length > 0 ? origins : paths)) {
    if (fault.flaw.where.every((condition) => isMet(condition, given, receiver)))
      reportFlaw(reading, fault, at, environment)
  }
  checkNamed(reading, given, environment, at)
  const harmful = receiver ? allFlows(receiver) : []
  if (receiver && harmful.length > 0) {
    for (const harm of receiverSinks.find(paths)) reportFlow(reading, harm, receiver, harmful, environment, at)
  }
  if (!given.some(({ value }) => value.flows.length > 0 || value.items || value.rest)) return
  for (const harm of callSinks.find(paths)) {
    if (!harm.sink.where.every((condition) => isMet(condition, given, receiver))) continue
    for (const value of harmedBy(harm.sink, given)) {
      const flows = flowsFor(harm.sink, value)
      if (flows.length > 0) reportFlow(reading, harm, value, flows, environment, at)
    }
  }
}

/** The flows that count for a sink: if only a string or a whole object does harm, the entries of an object do not count, unless they were spread into it. */
function flowsFor({ text, whole }: Sink, value: Value): Value['flows'] {
  if (whole) return unite(value.flows, value.rest?.flows ?? [])
  return text && value.items ? value.flows : allFlows(value)
}

const harmedBy = ({ args }: Sink, given: readonly Given[]): Value[] =>
  args.includes('*')
    ? given.map(({ value }) => value)
    : args.flatMap((place) => {
        const value = argumentAt(given, place)
        return value ? [value] : []
      })

/** Whether what is known of an argument meets a condition; an unknown value meets only `present`. */
export function meets(condition: Condition, value: Value | undefined, given: readonly Given[] = []): boolean {
  const { item, ...rest } = condition
  if (item !== undefined) return meets(rest, itemOf(value, item))
  const { matches, equals, not, literal, absent, present, named, unnamed, starts, answers, holds, unknown } = condition
  const { shown, known, bits, empty } = condition
  if (absent !== undefined) return absent === (value === undefined)
  if (not !== undefined) {
    const isOpen = value === undefined && given.some(mayHold)
    return value === undefined ? !isOpen : value.constant !== undefined && value.constant !== not
  }
  if (value === undefined) return false
  if (present !== undefined) return present
  if (unknown !== undefined) return unknown === (value.constant === undefined)
  if (answers !== undefined) return value.closure !== null && answerOf(value.closure.routine) === answers
  const { constant, paths } = value
  if (shown !== undefined) return shown === (value.items !== null)
  if (known !== undefined) return known === isKnown(value)
  if (empty !== undefined) return empty === (value.items?.size === 0 && value.rest === null)
  if (named !== undefined) {
    const all = value.length === null ? [value] : [value, ...(value.items?.values() ?? [])]
    return all.some((each) => each.paths.some((path) => expressionOf(named).test(path)))
  }
  if (unnamed !== undefined) return paths.length > 0 && !paths.some((path) => expressionOf(unnamed).test(path))
  if (starts !== undefined)
    return expressionOf(starts).test(typeof constant === 'string' ? constant : (value.prefix ?? ''))
  if (holds !== undefined) return [value, ...(value.items?.values() ?? [])].some((each) => isLike(each, holds))
  if (bits !== undefined) return typeof constant === 'number' && (constant & bits) !== 0
  if (equals !== undefined) return constant === equals
  if (literal !== undefined) return typeof constant === 'string' && constant.length >= literal
  return matches !== undefined && isLike(value, matches)
}

const isKnown = ({ constant, items, rest, length }: Value): boolean =>
  constant !== undefined ||
  (items !== null && rest === null && length !== null && length > 0 && [...items.values()].every(isKnown))

const isLike = ({ constant }: Value, expression: string): boolean =>
  constant !== undefined && expressionOf(expression).test(String(constant))

/** The entry whose key ends like this; after `*.`, an entry of any of the entries. */
function itemOf(value: Value | undefined, end: string): Value | undefined {
  const isWithin = end.startsWith('*.')
  for (const [key, item] of value?.items ?? []) {
    const found = isWithin ? itemOf(item, end.slice(2)) : key.endsWith(end) ? item : undefined
    if (found) return found
  }
  return undefined
}

/** Whether an argument may hold options that are not visible: it is spread, or an unknown value after the first two. */
const mayHold = ({ argument, value }: Given, place: number): boolean =>
  argument.spread === true ||
  value.rest !== null ||
  (place >= 2 && !argument.name && value.constant === undefined && value.items === null)

/** Records whether the call makes later responses harmless for a rule, or harmful again. */
export function settle(
  reading: Reading,
  paths: readonly string[],
  given: readonly Given[],
  receiver: Value | null,
  environment: Environment,
): void {
  for (const { rule, flaw } of reading.book.settling.find(paths)) {
    const last = flaw.where.at(-1)
    const value = last && argumentOf(given, last, receiver)
    const others = flaw.where.slice(0, -1)
    if (!last || !value) continue
    if (!others.every((condition) => isMet(condition, given, receiver))) continue
    if (meets(last, value, given)) guard(environment, EVERYTHING, [rule.kind])
    else unguard(environment, EVERYTHING, rule.kind)
  }
}
