// Reads calls: of names that rules know, of functions in the same piece of code, of methods of collections, and of anything else.

import { memberPath } from '../patterns.ts'
import type { Expression } from '../tree.ts'
import { callBack } from './callbacks.ts'
import { foldCall } from './constants.ts'
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
  const { name, paths } = callee
  let { receiver } = callee
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
  const values = given.map(({ value }) => value)

  const [first] = values
  if ((name === 'require' || name === 'import') && typeof first?.constant === 'string')
    return called([first.constant.replace(/^node:/, '')])
  if (name === 'promisify' && first) return first
  // What a framework makes for those who ask goes by the class that they name.
  if (name === 'inject' && !receiver && call.arguments[0] && first && !callee.closure)
    return called(pathsOf(call.arguments[0].value, first))
  if (name === 'getattr' && first && call.arguments[0] && typeof values[1]?.constant === 'string')
    return member(reading, call, first, pathsOf(call.arguments[0].value, first), values[1].constant)
  if (callee.made) return construct(reading, callee.made, given, environment, call)
  if (callee.closure && isOpen(reading, callee.closure.routine)) {
    const returned = invoke(reading, callee.closure, receiver, given, environment, call)
    const harmless = believed(name, callee.closure.routine)
    return harmless.length > 0 ? { ...returned, flows: cleanedOf(returned.flows, harmless) } : returned
  }
  const answered = callBack(reading, callee, given, environment, call.at)
  if (answered) return { ...resultNamed(paths), flows: answered }

  if (receiver && first && receiver.flows.some(({ whole }) => whole)) {
    const part = first.constant === undefined && ASKS.test(name) ? '[]' : first.constant
    if (part !== undefined) receiver = { ...receiver, flows: partOf(reading, receiver.flows, String(part)) }
  }
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
  if (label !== undefined && !(label === 'random' && paths.some((path) => SECURE.test(path)))) {
    const key = `${paths[0]}(${String(first?.constant ?? '')})`
    const flow = sourceAt(reading, label, call.at, key, label !== INPUT && values.length === 0 && GIVES_ALL.test(name))
    // What is filled in place of being returned: `random.nextBytes(bytes)`.
    const filled = call.arguments.map(({ value }) => value).findLast(({ k }) => k === 'name')
    if (filled?.k === 'name' && FILLS.test(name)) store(reading, filled, { ...nothing, flows: [flow] }, environment)
    return { ...resultNamed(paths), flows: [flow] }
  }
  const listed = reading.book.sanitisers.find(paths)
  const kinds = listed.length > 0 ? listed : guessed(name)
  const taken = unite(receiver ? allFlows(receiver) : [], flowsOf(values))
  const all = isUndoing(name, paths) ? taken.map((flow) => ({ ...flow, cleaned: NOTHING_CLEANED })) : taken
  if (kinds.length > 0) {
    const prefix =
      receiver === null ? (first?.prefix ?? (typeof first?.constant === 'string' ? first.constant : null)) : null
    return { ...resultNamed(paths), flows: cleanedOf(all, kinds), prefix }
  }
  if (reading.book.neutral.find(paths).length > 0) return resultNamed(paths)

  if (receiver) {
    if (receiver.constant !== undefined) {
      const folded = foldCall(
        name,
        receiver.constant,
        values.map(({ constant }) => constant),
      )
      if (folded !== undefined) return constantValue(folded)
    }
    const outcome = modelled(name, receiver, values, paths)
    if (outcome) {
      if (outcome.receiver && call.callee.k === 'member')
        store(reading, call.callee.object, outcome.receiver, environment)
      return outcome.value.paths.length === 0 ? { ...outcome.value, paths: resultNamed(paths).paths } : outcome.value
    }
  }
  const isOnce = name === 'replace' && reading.book.language === 'javascript'
  const shown = replaced(name, receiver, values, isOnce)
  if (shown) return shown
  if (call.isNew || isMaker(name)) return made(paths, given, call.isNew)
  changeReceiver(reading, call, callee, values, environment)
  return {
    ...resultNamed(paths, wrapping(given)),
    flows: passing({ ...callee, receiver }, values, all),
    prefix: prefixOf(name, receiver, values),
    opening: openingOf(name, receiver, values),
    items: settingsOf(name, receiver, given),
  }
}

/** A new object that has nothing yet may be given its settings by whom it is handed to: what it has is no longer known. */
function handOver(reading: Reading, given: readonly Given[], environment: Environment): void {
  for (const { argument, value } of given) {
    if (argument.value.k === 'name' && value.items?.size === 0 && value.length === null)
      store(reading, argument.value, { ...value, items: null, rest: nothing }, environment)
  }
}

/** Functions that put what they find, or are given, into an argument: from which, into which. */
const FILLED = new Map<string, readonly [from: number | 'this', into: number]>([
  ['Decode', ['this', 0]],
  ['DecodeElement', ['this', 0]],
  ['Copy', [1, 0]],
  ['CopyN', [1, 0]],
  ['Fprintf', [2, 0]],
  ['Fprint', [1, 0]],
  ['Fprintln', [1, 0]],
  ['parse_str', [0, 1]],
  ['mb_parse_str', [0, 1]],
  ['preg_match', [1, 2]],
  ['preg_match_all', [1, 2]],
  ['array_push', [1, 0]],
  ['array_unshift', [1, 0]],
  ['Unmarshal', [0, 1]],
  ['Sscanf', [0, 2]],
  ['Sscan', [0, 1]],
  ['Fscanf', [0, 2]],
])

function fill(
  reading: Reading,
  name: string,
  given: readonly Given[],
  receiver: Value | null,
  environment: Environment,
): void {
  const places = FILLED.get(name)
  // A form that is decoded is given beside what it is decoded into.
  const from =
    places && (places[0] === 'this' ? (given.length > 1 ? given[1]?.value : receiver) : given[places[0]]?.value)
  const into = places && given[places[1]]
  if (!from || !into || into.argument.value.k !== 'name') return
  const flows = allFlows(from)
  if (flows.length > 0)
    store(
      reading,
      into.argument.value,
      { ...into.value, constant: undefined, flows: unite(into.value.flows, flows) },
      environment,
    )
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

/** A method that sets or adds leaves its object with what it was given. */
function changeReceiver(
  reading: Reading,
  call: Call,
  { receiver, name }: Callee,
  values: readonly Value[],
  environment: Environment,
): void {
  if (
    !receiver ||
    call.callee.k !== 'member' ||
    !/^(?:set|add|put|append|insert|prepend|with|command|readFrom$)/i.test(name)
  )
    return
  const flows = flowsOf(values)
  if (flows.length === 0 || call.callee.object.k !== 'name' || call.callee.object.name === 'this') return
  store(
    reading,
    call.callee.object,
    { ...receiver, constant: undefined, flows: unite(receiver.flows, flows) },
    environment,
  )
}

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
