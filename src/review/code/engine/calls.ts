// Reads calls: of names that rules know, of functions in the same piece of code, of methods of collections, and of anything else.

import { memberPath } from '../patterns.ts'
import type { Expression } from '../tree.ts'
import { callBack } from './callbacks.ts'
import { foldCall } from './constants.ts'
import { changeReceiver, fill, handOver } from './effects.ts'
import { type Environment, lookup } from './environment.ts'
import { pathsOf, read, readPart } from './expressions.ts'
import { FORMATTING, takenBy } from './formats.ts'
import { believed, guessed, isUndoing, NOTHING_CLEANED } from './harmless.ts'
import { construct, invoke, methodOf } from './invoke.ts'
import { member, store } from './members.ts'
import { modelled, replaced } from './models.ts'
import { flowsOf, isMaker, made, openingOf, passing, prefixOf, resultNamed, settingsOf, wrapping } from './outcomes.ts'
import { checkCall, type Given, settle } from './places.ts'
import { type ClassFacts, confirm, isOpen, partOf, type Reading, sourceAt } from './reading.ts'
import {
  allFlows,
  type Closure,
  called,
  cleanedOf,
  constantValue,
  type Flow,
  HERE,
  INPUT,
  isOutside,
  nothing,
  unite,
  type Value,
} from './value.ts'

export type Call = Expression & { k: 'call' }

export type Callee = {
  receiver: Value | null
  paths: readonly string[]
  name: string
  closure: Closure | null
  made: ClassFacts | null
}

export function readCall(reading: Reading, call: Call, environment: Environment): Value {
  const callee = resolved(reading, call, environment)
  const { name, paths, receiver } = callee
  const readArgument = FORMATTING.test(name) ? readPart : read
  const whole = call.arguments.map(
    (argument): Given => ({ argument, value: readArgument(reading, argument.value, environment) }),
  )
  const given = takenBy(reading, name, whole, receiver)
  checkCall(reading, paths, given, receiver, environment, call.at)
  checkVariable(reading, call, environment)
  handOver(reading, given, environment)
  settle(reading, paths, given, receiver, environment)
  fill(reading, name, given, receiver, environment)
  if (receiver && USES.test(name)) confirm(reading, allFlows(receiver))
  const own = namedFunction(reading, call, callee, given) ?? ownFunction(reading, call, callee, given, environment)
  if (own) return own
  const answered = callBack(reading, callee, given, environment, call.at)
  if (answered) return { ...resultNamed(paths), flows: answered }

  const known = { ...callee, receiver: askedFor(reading, callee, given) }
  return (
    sourceOf(reading, call, known, given, environment) ??
    cleaned(reading, known, given) ??
    ofReceiver(reading, call, known, given, environment) ??
    unknown(reading, call, callee, known.receiver, given, environment)
  )
}

const valuesOf = (given: readonly Given[]): Value[] => given.map(({ value }) => value)

/** The outcome of functions that are told by their name alone: modules, and what is made or asked for by name. */
function namedFunction(reading: Reading, call: Call, callee: Callee, given: readonly Given[]): Value | null {
  const { name, receiver, closure } = callee
  const [first, second] = valuesOf(given)
  if ((name === 'require' || name === 'import') && typeof first?.constant === 'string')
    return called([first.constant.replace(/^node:/, '')])
  if (name === 'promisify' && first) return first
  const [argument] = call.arguments
  if (!first || !argument) return null
  // What a framework makes for those who ask goes by the class that they name.
  if (name === 'inject' && !receiver && !closure) return called(pathsOf(argument.value, first))
  if (name === 'getattr' && typeof second?.constant === 'string')
    return member(reading, call, first, pathsOf(argument.value, first), second.constant)
  return null
}

/** The outcome of a class or a function of this piece of code; null for others. */
function ownFunction(
  reading: Reading,
  call: Call,
  { name, receiver, closure, made: facts }: Callee,
  given: readonly Given[],
  environment: Environment,
): Value | null {
  if (facts) return construct(reading, facts, given, environment, call)
  if (!closure || !isOpen(reading, closure.routine)) return null
  const returned = invoke(reading, closure, receiver, given, environment, call)
  const harmless = believed(name, closure.routine)
  return harmless.length > 0 ? { ...returned, flows: cleanedOf(returned.flows, harmless) } : returned
}

/** The object of the call; where it comes from outside as a whole, the part of it that is asked for. */
function askedFor(reading: Reading, { receiver, name }: Callee, [given]: readonly Given[]): Value | null {
  const first = given?.value
  if (!receiver || !first || !receiver.flows.some(({ whole }) => whole)) return receiver
  const part = first.constant === undefined && ASKS.test(name) ? '[]' : first.constant
  return part === undefined ? receiver : { ...receiver, flows: partOf(reading, receiver.flows, String(part)) }
}

/** What a call brings in from outside; null where it brings nothing. */
function sourceOf(
  reading: Reading,
  call: Call,
  { receiver, paths, name }: Callee,
  given: readonly Given[],
  environment: Environment,
): Value | null {
  const [first] = valuesOf(given)
  const [sourceOfText] =
    typeof first?.constant === 'string'
      ? reading.book.sources.find(paths.map((path) => `${path}=${first.constant}`))
      : []
  const [listedSource = sourceOfText] = reading.book.callSources.find(paths)
  // What is read line by line is what it was opened with, where that is known to come from outside.
  const isText = sourceOfText !== undefined
  const label = isText
    ? sourceOfText
    : listedSource === INPUT && receiver?.flows.some(isOutside)
      ? undefined
      : listedSource
  if (label === undefined || (label === 'random' && paths.some((path) => SECURE.test(path)))) return null
  const key = `${paths[0]}(${String(first?.constant ?? '')})`
  const flow = sourceAt(reading, label, call.at, key, label !== INPUT && given.length === 0 && GIVES_ALL.test(name))
  // What is filled in place of being returned: `random.nextBytes(bytes)`.
  const filled = call.arguments.map(({ value }) => value).findLast(({ k }) => k === 'name')
  if (filled?.k === 'name' && FILLS.test(name)) store(reading, filled, { ...nothing, flows: [flow] }, environment)
  return { ...resultNamed(paths), flows: [flow] }
}

/** All that is taken in by a call, from its object and its arguments. */
function takenIn({ receiver, paths, name }: Callee, given: readonly Given[]): readonly Flow[] {
  const taken = unite(receiver ? allFlows(receiver) : [], flowsOf(valuesOf(given)))
  return isUndoing(name, paths) ? taken.map((flow) => ({ ...flow, cleaned: NOTHING_CLEANED })) : taken
}

/** The outcome of what makes data harmless, or carries none; null for others. */
function cleaned(reading: Reading, callee: Callee, given: readonly Given[]): Value | null {
  const { receiver, paths, name } = callee
  const [first] = valuesOf(given)
  const listed = reading.book.sanitisers.find(paths)
  const kinds = listed.length > 0 ? listed : guessed(name)
  if (kinds.length > 0) {
    const prefix =
      receiver === null ? (first?.prefix ?? (typeof first?.constant === 'string' ? first.constant : null)) : null
    return { ...resultNamed(paths), flows: cleanedOf(takenIn(callee, given), kinds), prefix }
  }
  return reading.book.neutral.find(paths).length > 0 ? resultNamed(paths) : null
}

/** The outcome of a method of a constant or a collection; null where it is not known. */
function ofReceiver(
  reading: Reading,
  call: Call,
  { receiver, paths, name }: Callee,
  given: readonly Given[],
  environment: Environment,
): Value | null {
  if (!receiver) return null
  const values = valuesOf(given)
  if (receiver.constant !== undefined) {
    const folded = foldCall(
      name,
      receiver.constant,
      values.map(({ constant }) => constant),
    )
    if (folded !== undefined) return constantValue(folded)
  }
  const outcome = modelled(name, receiver, values, paths)
  if (!outcome) return null
  if (outcome.receiver && call.callee.k === 'member') store(reading, call.callee.object, outcome.receiver, environment)
  return outcome.value.paths.length === 0 ? { ...outcome.value, paths: resultNamed(paths).paths } : outcome.value
}

/** The outcome of a function of which nothing is known: it is taken to carry what it was given. `receiver` is its object, or the part of it that is asked for. */
function unknown(
  reading: Reading,
  call: Call,
  callee: Callee,
  receiver: Value | null,
  given: readonly Given[],
  environment: Environment,
): Value {
  const { paths, name } = callee
  const values = valuesOf(given)
  const isOnce = name === 'replace' && reading.book.language === 'javascript'
  const shown = replaced(name, receiver, values, isOnce)
  if (shown) return shown
  if (call.isNew || isMaker(name)) return made(paths, given, call.isNew)
  changeReceiver(reading, call, callee, values, environment)
  return {
    ...resultNamed(paths, wrapping(given)),
    flows: passing({ ...callee, receiver }, values, takenIn({ ...callee, receiver }, given)),
    prefix: prefixOf(name, receiver, values),
    opening: openingOf(name, receiver, values),
    items: settingsOf(name, receiver, given),
  }
}

/** PHP: a function or a class that goes by what a variable says is called as `call_user_func` calls it. */
function checkVariable(reading: Reading, { callee, at }: Call, environment: Environment): void {
  if (callee.k !== 'name' || !callee.name.startsWith('$')) return
  const value = lookup(environment, callee.name)
  if (value && value.flows.length > 0)
    checkCall(reading, ['call_user_func'], [{ argument: { value: callee }, value }], null, environment, at)
}

/** What gives one of many, whatever the key. */
const ASKS = /^(?:get|getFirst|getOrDefault|getlist)$/

/** Generators whose numbers cannot be foreseen, whatever the type that they go by. */
const SECURE = /secure|SystemRandom/i

const FILLS =
  /^(?:nextBytes|Read|readFully|readInto|fill|(?:Should|Must)?Bind\w*|\w*Parser|ReadJSON|ReadForm|ReadQuery|ReadBody|ReadXML|ReadParams|Parse|ParseJsonBody|ParseForm|ParsePath|DecodeJSON|Decode|Body|All|URI|Receive)$/

/** Functions that give all that was sent. */
const GIVES_ALL = /^(?:all|json|get_json|getParameterMap|input|post|getParsedBody|body|getQueryParams|getPost)$/

/** What uses a file or a path that was only named before. */
const USES =
  /^(?:delete|deleteOnExit|renameTo|mkdirs?|createNewFile|list|listFiles|setReadable|setWritable|setExecutable|setLastModified|transferTo|extractTo|compress|decompress|(?:read|write|open)(?:[A-Z]\w*)?)$/

function resolved(reading: Reading, { callee, isNew }: Call, environment: Environment): Callee {
  if (callee.k === 'member') {
    const receiver = read(reading, callee.object, environment)
    const ofObject = pathsOf(callee.object, receiver)
    const paths = ofObject.map((path) => memberPath(isNew ? `new ${path}` : path, callee.name))
    const own = receiver.items?.get(callee.name)
    const facts =
      reading.classes.get(receiver.owner ?? (callee.object.k === 'name' ? callee.object.name : '')) ??
      receiver.paths.map((path) => reading.classes.get(path)).find(Boolean)
    const closure = own?.closure ?? methodOf(reading, facts, callee.name)
    return {
      receiver,
      paths: own ? [...new Set([...paths, ...own.paths])] : paths,
      name: callee.name,
      closure,
      made: null,
    }
  }
  if (callee.k === 'name') {
    const bound = lookup(environment, callee.name)
    const isOurs = bound !== undefined && (bound.closure !== null || bound.paths.includes(HERE))
    const paths = isOurs ? bound.paths : bound ? pathsOf(callee, bound) : [callee.name]
    const facts = reading.classes.get(callee.name) ?? null
    const own =
      bound?.closure ?? methodOf(reading, reading.classes.get(lookup(environment, 'this')?.owner ?? ''), callee.name)
    return {
      receiver: null,
      paths: isNew ? paths.map((path) => `new ${path}`) : paths,
      name: callee.name,
      closure: isNew ? null : own,
      made: facts && (isNew || facts.methods.has('__init__')) ? facts : null,
    }
  }
  const value = read(reading, callee, environment)
  return { receiver: null, paths: value.paths, name: '', closure: value.closure, made: null }
}
