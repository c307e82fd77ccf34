// Reads calls: of what rules name, of functions that stand in the same piece of code, of collections, of anything else.

import type { Expression, Routine } from '../tree.ts'
import { callBack } from './callbacks.ts'
import { foldCall } from './constants.ts'
import { type Environment, lookup, openEnvironment } from './environment.ts'
import { pathsOf, read, readPart } from './expressions.ts'
import { FORMATTING, takenBy } from './formats.ts'
import { store } from './members.ts'
import { harmlessReplacing, modelled, replaced } from './models.ts'
import { castTo } from './operators.ts'
import { checkCall, type Given, settle } from './places.ts'
import { type ClassFacts, confirm, isOpen, partOf, type Reading, sourceAt } from './reading.ts'
import { runBody } from './statements.ts'
import {
  allFlows,
  type Closure,
  called,
  cleanedOf,
  constantValue,
  INPUT,
  isOutside,
  nothing,
  stepped,
  unite,
  type Value,
} from './value.ts'

type Call = Expression & { k: 'call' }

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
  handOver(reading, given, environment)
  settle(reading, paths, given, receiver, environment)
  if (receiver && USES.test(name)) confirm(reading, allFlows(receiver))
  const values = given.map(({ value }) => value)

  const [first] = values
  if ((name === 'require' || name === 'import') && typeof first?.constant === 'string')
    return called([first.constant.replace(/^node:/, '')])
  if (name === 'promisify' && first) return first
  if (callee.made) return construct(reading, callee.made, given, environment, call)
  if (callee.closure && isOpen(reading, callee.closure.routine)) {
    const returned = invoke(reading, callee.closure, receiver, given, environment, call)
    const harmless = believed(name, callee.closure.routine)
    return harmless.length > 0 ? { ...returned, flows: cleanedOf(returned.flows, harmless) } : returned
  }
  const answered = callBack(reading, callee, given, environment, call.at)
  if (answered) return { ...resultNamed(paths), flows: answered }

  if (receiver && first?.constant !== undefined && receiver.flows.some(({ whole }) => whole)) {
    receiver = { ...receiver, flows: partOf(reading, receiver.flows, String(first.constant)) }
  }
  const [listedSource] = reading.book.callSources.find(paths)
  // What is read line by line is what it was opened with, where that is known to come from outside.
  const label = listedSource === INPUT && receiver?.flows.some(isOutside) ? undefined : listedSource
  if (label !== undefined && !(label === 'random' && paths.some((path) => SECURE.test(path)))) {
    const key = `${paths[0]}(${String(first?.constant ?? '')})`
    const flow = sourceAt(reading, label, call.at, key, values.length === 0 && GIVES_ALL.test(name))
    // What is filled in place of being returned: `random.nextBytes(bytes)`.
    const filled = call.arguments[0]?.value
    if (filled?.k === 'name' && FILLS.test(name)) store(reading, filled, { ...nothing, flows: [flow] }, environment)
    return { ...resultNamed(paths), flows: [flow] }
  }
  const listed = reading.book.sanitisers.find(paths)
  const kinds = listed.length > 0 ? listed : guessed(name)
  const taken = unite(receiver ? allFlows(receiver) : [], flowsOf(values))
  const all = isUndoing(name, paths) ? taken.map((flow) => ({ ...flow, cleaned: NOTHING_CLEANED })) : taken
  if (kinds.length > 0) return { ...resultNamed(paths), flows: cleanedOf(all, kinds) }
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
  const shown = replaced(name, receiver, values)
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
      store(reading, argument.value, { ...value, items: null }, environment)
  }
}

/** What a maker was told: options that a constructor is given by name, and those of the factory that something comes from. */
function settingsOf(name: string, receiver: Value | null, given: readonly Given[]): Value['items'] {
  if (/^(?:new|create|build|getXMLReader)/.test(name) && receiver?.items) return receiver.items
  if (!/^[A-Z]/.test(name)) return null
  const named = given.flatMap(({ argument, value }) => (argument.name ? [[argument.name, value] as const] : []))
  return named.length > 0 ? new Map(named) : null
}

/** Generators whose numbers cannot be foreseen, whatever the type that they go by. */
const SECURE = /secure|SystemRandom/i

const FILLS = /^(?:nextBytes|Read|readFully|readInto|fill)$/

/** Functions that give all that was sent. */
const GIVES_ALL = /^(?:all|json|get_json|getParameterMap|input|post|getParsedBody|body|getQueryParams|getPost)$/

/** The names of an outcome: those of the function, called. */
const resultNamed = (paths: readonly string[], more: readonly string[] = []): Value =>
  called([...more, ...paths.map((path) => (path.startsWith('new ') ? path.slice(4) : `${path}()`))].slice(0, 4))

const request = /^(?:flask\.)?(?:request|req|HttpServletRequest|ServletRequest)$/

/** What is made of a request answers for it: its outcome goes by this name as well. */
const wrapping = (given: readonly Given[]): string[] =>
  given.some(({ argument, value }) => pathsOf(argument.value, value).some((path) => request.test(path)))
    ? ['WrappedRequest']
    : []

export const flowsOf = (values: readonly Value[]) =>
  values.reduce<Value['flows']>((sum, value) => unite(sum, allFlows(value)), [])

const isMaker = (name: string) =>
  name === 'dict' || name === 'list' || name === 'set' || name === 'array' || name === 'make'

/** A collection that begins empty, or anything made of what is given. */
function made(paths: readonly string[], given: readonly Given[], isNew: boolean): Value {
  const values = given.map(({ value }) => value)
  const [first] = values
  const named = resultNamed(paths, wrapping(given))
  if (values.length === 0 || (!isNew && first?.constant !== undefined)) return { ...named, items: new Map(), length: 0 }
  if (values.length === 1 && first?.items) return { ...first, paths: named.paths }
  if (values.length === 1 && first && first.constant === undefined) {
    return { ...named, flows: allFlows(first), prefix: first.prefix, opening: first.opening, closure: first.closure }
  }
  const text = typeof first?.constant === 'string' ? first.constant : first?.prefix
  // What else it holds is not seen.
  const settings = isNew && values.length > 1 ? { items: new Map(), rest: nothing } : null
  return { ...named, ...settings, flows: flowsOf(values), prefix: text ?? null, opening: first?.opening ?? null }
}

/** Functions that answer from what they keep, or say whether something holds: their outcome is not what they were given. */
const answering =
  /^(?:is|has|can|should|check|validate|verify|exists|count|find|fetch|load|query|save|insert|select|lookup|authenticate|authoriz|compare|hash|sign|digest|parseInt|parseFloat|parseLong|parseDouble|parseBoolean|execute|exec|send|write|print|log|delete|remove|commit)(?=[A-Z_\d]|$|One|All|Many|By)/

function passing({ name, receiver }: Callee, values: readonly Value[], all: Value['flows']): Value['flows'] {
  if (answering.test(name)) return receiver ? receiver.flows : []
  if (receiver?.items && receiver.flows.length === 0 && name === 'get') return allFlows(receiver)
  return values.length === 0 && receiver ? allFlows(receiver) : all
}

/** What uses a file or a path that was only named before. */
const USES =
  /^(?:delete|deleteOnExit|renameTo|mkdirs?|createNewFile|list|listFiles|setReadable|setWritable|setExecutable|setLastModified|transferTo|extractTo|compress|decompress|(?:read|write|open)(?:[A-Z]\w*)?)$/

const NOTHING_CLEANED: ReadonlySet<string> = new Set()

/** Whether a function takes an escaping or an encoding back; bytes that become text do not. */
const isUndoing = (name: string, paths: readonly string[]): boolean =>
  /unescape|unquote|atob|decode/i.test(name) &&
  paths.some((path) => /64|ur[li]|html|entit|percent|unescape|unquote|atob/i.test(path))

/** Names that say what they make harmless, though no rule knows them. */
function guessed(name: string): string[] {
  if (!/escape|saniti[sz]e|purif|encodeFor|(?:^|_)safe|[a-z]Safe/i.test(name) || /unescape/i.test(name)) return []
  const kinds: string[] = []
  if (/html|xml|markup|tags|attr|javascript|css/i.test(name)) kinds.push('html')
  if (/xpath|xml/i.test(name)) kinds.push('xpath')
  if (/sql|string$|query/i.test(name)) kinds.push('sql')
  if (/shell|cmd|arg|os$/i.test(name)) kinds.push('command')
  if (/ldap|dn$|filter/i.test(name)) kinds.push('ldap')
  if (/reg/i.test(name)) kinds.push('regex')
  if (/url|uri|path|file/i.test(name)) kinds.push('redirect', 'ssrf', 'path', 'header', 'html')
  return kinds.length > 0 ? kinds : ['*']
}

/** What a function does that escapes as its name says: it replaces, or looks at each character. */
const REPLACES = /replace|\bsub\s*\(|translate|strtr|switch|\bcase\b|charAt|codePointAt|\bfor\b|\bmap\b/

/** Texts and expressions that stand in code, without their quotes. */
const LITERALS = /(["'`])((?:\\.|(?!\1)[^\\\n]){0,60})\1|\/((?:\\.|[^/\\\n*])(?:\\.|[^/\\\n]){0,60})\/[dgimsuy]{0,7}/g

/** What replaces signs, or is put in their place: nothing but signs, a set, an entity. */
const SIGNS = /^\W{1,20}$|^\\\\?[nr]$|\[|&(?:lt|gt|amp|quot|#\w+);/

/** Letters of a function that are looked at. */
const LONGEST = 5000

/** Of what a function of this piece of code should make harmless by its name, that whose signs it is seen to replace. */
function believed(name: string, routine: Routine): string[] {
  if (!/escape|saniti[sz]e|purif|encodeFor/i.test(name)) return []
  const body = routine.text()
  if (!REPLACES.test(body)) return []
  const kinds = guessed(name)
  const replaced = [...body.slice(0, LONGEST).matchAll(LITERALS)]
    .map(([, , text, expression]) => text ?? expression ?? '')
    .filter((each) => SIGNS.test(each))
    .flatMap(harmlessReplacing)
  return kinds.includes('*') ? replaced : replaced.filter((kind) => kinds.includes(kind))
}

/** The text of a format before its first value; of a function of one value, that of the value. */
const openingOf = (name: string, receiver: Value | null, values: readonly Value[]): string | null =>
  FORMATTING.test(name)
    ? prefixOf(name, receiver, values)
    : values.length <= 1
      ? ((receiver ?? values[0])?.opening ?? null)
      : null

function prefixOf(name: string, receiver: Value | null, values: readonly Value[]): string | null {
  if (!FORMATTING.test(name)) return values.length === 1 && !receiver ? (values[0]?.prefix ?? null) : null
  const shape =
    typeof receiver?.constant === 'string'
      ? receiver.constant
      : values.find(({ constant }) => typeof constant === 'string')?.constant
  return typeof shape === 'string' ? shape.slice(0, Math.max(shape.search(/[%{]/), 0)) : null
}

/** A method that sets or adds leaves its object with what it was given. */
function changeReceiver(
  reading: Reading,
  call: Call,
  { receiver, name }: Callee,
  values: readonly Value[],
  environment: Environment,
): void {
  if (!receiver || call.callee.k !== 'member' || !/^(?:set|add|put|append|insert|prepend|with|command)/i.test(name))
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
    const paths = pathsOf(callee.object, receiver).map((path) => `${isNew ? 'new ' : ''}${path}.${callee.name}`)
    const own = receiver.items?.get(callee.name)
    const facts =
      callee.object.k === 'name'
        ? reading.classes.get(receiver.owner ?? callee.object.name)
        : reading.classes.get(receiver.owner ?? '')
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
    const paths = bound && !bound.closure ? pathsOf(callee, bound) : bound ? bound.paths : [callee.name]
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

/** A method of a class of this piece of code, its own or inherited. */
function methodOf(reading: Reading, facts: ClassFacts | undefined, name: string): Closure | null {
  for (let at = facts, depth = 0; at && depth < 5; at = reading.classes.get(at.parent ?? ''), depth++) {
    const routine = at.methods.get(name)
    if (routine) return { routine, environment: at.environment, self: { ...nothing, owner: at.name } }
  }
  return null
}

/** An instance of a class of this piece of code, after its constructor. */
function construct(
  reading: Reading,
  facts: ClassFacts,
  given: readonly Given[],
  environment: Environment,
  call: Call,
): Value {
  const fresh: Value = { ...nothing, owner: facts.name, paths: [facts.name], items: new Map() }
  const routine = ['constructor', '__init__', '__construct', facts.name]
    .map((name) => facts.methods.get(name))
    .find(Boolean)
  if (!routine || !isOpen(reading, routine)) return { ...fresh, flows: flowsOf(given.map(({ value }) => value)) }
  const inner = enter(reading, { routine, environment: facts.environment, self: fresh }, fresh, given, environment)
  const self = selfAfter(inner, routine) ?? fresh
  return self.owner ? self : { ...fresh, flows: allFlows(call.callee.k === 'name' ? self : nothing) }
}

const firstName = ({ parameters: [first] }: Routine) => (first?.target.k === 'name' ? first.target.name : '')

/** The object of a method as it is at its end; some languages name it as the first parameter. */
const selfAfter = ({ names }: Entered, routine: Routine): Value | undefined =>
  names.get(['self', 'cls'].includes(firstName(routine)) ? firstName(routine) : 'this')

/** What a function of this piece of code returns for these arguments. */
export function invoke(
  reading: Reading,
  closure: Closure,
  receiver: Value | null,
  given: readonly Given[],
  environment: Environment,
  call: Call | null,
): Value {
  const self = closure.self ? { ...(receiver ?? closure.self), owner: closure.self.owner } : receiver
  const inner = enter(reading, closure, self, given, environment)
  const { returns } = inner
  if (call?.callee.k === 'member' && call.callee.object.k === 'name' && closure.self) {
    const after = selfAfter(inner, closure.routine)
    if (after && after !== self) store(reading, call.callee.object, after, environment)
  }
  if (!call) return returns
  const { line, column } = call.at.range().start
  return { ...returns, flows: stepped(returns.flows, line, column) }
}

type Entered = { names: Environment['names']; returns: Value }

/** Runs the body of a function with its parameters bound. What it checks stays checked where it returned. */
function enter(
  reading: Reading,
  closure: Closure,
  self: Value | null,
  given: readonly Given[],
  environment: Environment,
): Entered {
  const { routine } = closure
  const inner = openEnvironment(closure.environment, environment.guards)
  if (self) inner.names.set('this', self)
  const isBound = self !== null && ['self', 'cls'].includes(firstName(routine))
  routine.parameters.forEach((parameter, index) => {
    const place = isBound ? index - 1 : index
    const value = place < 0 ? self : bound(parameter, place, given)
    const fallback = value === null && parameter.otherwise ? read(reading, parameter.otherwise, inner) : nothing
    const type = parameter.type
    const typed = castTo(type ?? '', value ?? fallback)
    store(
      reading,
      parameter.target,
      type && !typed.paths.includes(type) ? { ...typed, paths: [type, ...typed.paths].slice(0, 4) } : typed,
      inner,
    )
  })
  reading.entered.add(routine)
  reading.frames.push({ routine, returns: null, guards: null, leaves: [] })
  runBody(reading, routine.body(), inner)
  const frame = reading.frames.pop()
  if (frame?.guards) environment.guards = new Map(frame.guards)
  return { names: inner.names, returns: frame?.returns ?? nothing }
}

function bound(parameter: Routine['parameters'][number], place: number, given: readonly Given[]): Value | null {
  const name = parameter.target.k === 'name' ? parameter.target.name : ''
  const named = given.find(({ argument }) => argument.name === name)
  return named?.value ?? given.filter(({ argument }) => !argument.name)[place]?.value ?? null
}
