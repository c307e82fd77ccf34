// What a call comes to, tried one way after the other: of names that rules know, of code that can be read, and of anything else.

import { changeReceiver } from './call-effects.ts'
import { callBack } from './callbacks.ts'
import type { Call, Callee } from './calls.ts'
import { foldCall } from './constants.ts'
import type { Environment } from './environment.ts'
import { pathsOf } from './expressions.ts'
import { believed, guessed, isUndoing, NOTHING_CLEANED } from './harmless.ts'
import { construct, invoke } from './invoke.ts'
import { member, store } from './members.ts'
import { modelled, replaced } from './models.ts'
import { flowsOf, isMaker, made, openingOf, passing, prefixOf, resultNamed, settingsOf, wrapping } from './outcomes.ts'
import type { Given } from './places.ts'
import { isOpen, partOf, type Reading, sourceAt } from './reading.ts'
import {
  allFlows,
  called,
  cleanedOf,
  constantValue,
  type Flow,
  INPUT,
  isOutside,
  nothing,
  unite,
  type Value,
} from './value.ts'

/** A call with what was read of it. */
type Asked = {
  reading: Reading
  call: Call
  callee: Callee
  /** the object whose method is called, or only the part of it that is asked for */
  receiver: Value | null
  given: readonly Given[]
  values: readonly Value[]
  environment: Environment
}

/** The call's result. */
export function resultOf(asked: Asked): Value {
  const known = named(asked) ?? ran(asked)
  if (known) return known
  const narrowed = withPart(asked)
  const harmless = fromOutside(narrowed) ?? cleaned(narrowed) ?? withoutFlows(narrowed)
  return harmless ?? computed(narrowed) ?? composed(narrowed) ?? passedOn(narrowed)
}

/** Functions that return something else by its name. */
function named({ reading, call, callee: { name, receiver, closure }, values }: Asked): Value | null {
  const [first, second] = values
  const [argument] = call.arguments
  if ((name === 'require' || name === 'import') && typeof first?.constant === 'string')
    return called([first.constant.replace(/^node:/, '')])
  if (!first) return null
  if (name === 'promisify') return first
  if (!argument) return null
  // what a framework makes for those who ask goes by the class that they name
  if (name === 'inject' && !receiver && !closure) return called(pathsOf(argument.value, first))
  if (name === 'getattr' && typeof second?.constant === 'string')
    return member(reading, call, first, pathsOf(argument.value, first), second.constant)
  return null
}

/** What the called code returns, where it can be read, or what it hands to a function that it is given. */
function ran({ reading, call, callee, given, environment }: Asked): Value | null {
  const { closure, receiver } = callee
  if (callee.made) return construct(reading, callee.made, given, environment, call)
  if (closure && isOpen(reading, closure.routine)) {
    const returned = invoke(reading, closure, receiver, given, environment, call)
    const harmless = believed(callee.name, closure.routine)
    return harmless.length > 0 ? { ...returned, flows: cleanedOf(returned.flows, harmless) } : returned
  }
  const answered = callBack(reading, callee, given, environment, call.at)
  return answered && { ...resultNamed(callee.paths), flows: answered }
}

/** What gives one of many, whatever the key. */
const ASKS = /^(?:get|getFirst|getOrDefault|getlist)$/

/** The call with only the part of the receiver that is asked for. */
function withPart(asked: Asked): Asked {
  const { reading, callee, receiver, values } = asked
  const [first] = values
  if (!receiver || !first || !receiver.flows.some(({ whole }) => whole)) return asked
  const part = first.constant === undefined && ASKS.test(callee.name) ? '[]' : first.constant
  if (part === undefined) return asked
  const flows = partOf(reading, receiver.flows, String(part))
  return { ...asked, receiver: { ...receiver, flows } }
}

/** Generators whose numbers cannot be foreseen, whatever the type that they go by. */
const SECURE = /secure|SystemRandom/i

const FILLS =
  /^(?:nextBytes|Read|readFully|readInto|fill|(?:Should|Must)?Bind\w*|\w*Parser|ReadJSON|ReadForm|ReadQuery|ReadBody|ReadXML|ReadParams|Parse|ParseJsonBody|ParseForm|ParsePath|DecodeJSON|Decode|Body|All|URI|Receive)$/

/** Functions that give all that was sent. */
const GIVES_ALL = /^(?:all|json|get_json|getParameterMap|input|post|getParsedBody|body|getQueryParams|getPost)$/

/** What the call brings from outside, where rules know it as a source. */
function fromOutside(asked: Asked): Value | null {
  const { reading, call, callee, values, environment } = asked
  const { name, paths } = callee
  const label = sourceOf(asked)
  if (label === undefined || (label === 'random' && paths.some((path) => SECURE.test(path)))) return null
  const key = `${paths[0]}(${String(values[0]?.constant ?? '')})`
  const isWhole = label !== INPUT && values.length === 0 && GIVES_ALL.test(name)
  const flow: Flow = sourceAt(reading, label, call.at, key, isWhole)
  // what is filled in place of being returned: `random.nextBytes(bytes)`
  const filled = call.arguments.map(({ value }) => value).findLast(({ k }) => k === 'name')
  if (filled?.k === 'name' && FILLS.test(name)) store(reading, filled, { ...nothing, flows: [flow] }, environment)
  return { ...resultNamed(paths), flows: [flow] }
}

function sourceOf({ reading, callee: { paths }, receiver, values }: Asked): string | undefined {
  const text = values[0]?.constant
  const [ofText] = typeof text === 'string' ? reading.book.sources.find(paths.map((path) => `${path}=${text}`)) : []
  if (ofText !== undefined) return ofText
  const [listed] = reading.book.callSources.find(paths)
  // what is read line by line is what it was opened with, where that is known to come from outside
  return listed === INPUT && receiver?.flows.some(isOutside) ? undefined : listed
}

/** What the call is given, without what it removes. */
function cleaned(asked: Asked): Value | null {
  const { reading, callee, receiver, values } = asked
  const { name, paths } = callee
  const listed = reading.book.sanitisers.find(paths)
  const kinds = listed.length > 0 ? listed : guessed(name)
  if (kinds.length === 0) return null
  const [first] = values
  const ofText = first?.prefix ?? (typeof first?.constant === 'string' ? first.constant : null)
  return { ...resultNamed(paths), flows: cleanedOf(takenIn(asked), kinds), prefix: receiver === null ? ofText : null }
}

/** All that the call is given; what it undoes is no longer cleaned. */
function takenIn({ callee: { name, paths }, receiver, values }: Asked): readonly Flow[] {
  const taken = unite(receiver ? allFlows(receiver) : [], flowsOf(values))
  return isUndoing(name, paths) ? taken.map((flow) => ({ ...flow, cleaned: NOTHING_CLEANED })) : taken
}

const withoutFlows = ({ reading, callee: { paths } }: Asked): Value | null =>
  reading.book.neutral.find(paths).length > 0 ? resultNamed(paths) : null

/** What a method of a text or of a collection returns. */
function computed({ reading, call, callee: { name, paths }, receiver, values, environment }: Asked): Value | null {
  if (!receiver) return null
  if (receiver.constant !== undefined) {
    const constants = values.map(({ constant }) => constant)
    const folded = foldCall(name, receiver.constant, constants)
    if (folded !== undefined) return constantValue(folded)
  }
  const outcome = modelled(name, receiver, values, paths)
  if (!outcome) return null
  if (outcome.receiver && call.callee.k === 'member') store(reading, call.callee.object, outcome.receiver, environment)
  return outcome.value.paths.length === 0 ? { ...outcome.value, paths: resultNamed(paths).paths } : outcome.value
}

/** A text with parts replaced, or a new object. */
function composed({ reading, call, callee: { name, paths }, receiver, given, values }: Asked): Value | null {
  const isOnce = name === 'replace' && reading.book.language === 'javascript'
  const shown = replaced(name, receiver, values, isOnce)
  if (shown) return shown
  return call.isNew || isMaker(name) ? made(paths, given, call.isNew) : null
}

/** Of code that nothing is known of: whatever it is given may be in what it returns. */
function passedOn(asked: Asked): Value {
  const { reading, call, callee, receiver, given, values, environment } = asked
  const { name, paths } = callee
  changeReceiver(reading, call, callee, values, environment)
  return {
    ...resultNamed(paths, wrapping(given)),
    flows: passing({ ...callee, receiver }, values, takenIn(asked)),
    prefix: prefixOf(name, receiver, values),
    opening: openingOf(name, receiver, values),
    items: settingsOf(name, receiver, given),
  }
}
