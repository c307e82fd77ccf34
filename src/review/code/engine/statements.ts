// Runs statements one after the other, both ways of a condition where it is not known, and says whether the end is reached.

import type { Statement } from '../tree.ts'
import { truth } from './constants.ts'
import { become, type Environment, forked, keepCommon, merge, unguarded } from './environment.ts'
import { read } from './expressions.ts'
import { refine } from './guards.ts'
import { store } from './members.ts'
import { meets } from './places.ts'
import { frameOf, partOf, type Reading, reportFlow } from './reading.ts'
import { allFlows, constantValue, flowing, join, nothing, stepped, type Value } from './value.ts'

/** False where every way returns, throws or leaves the loop. */
export type Reaches = boolean

/** The body of a function, the end of which returns nothing. */
export function runBody(reading: Reading, body: Statement[], environment: Environment): void {
  if (runAll(reading, body, environment)) keepGuards(reading, environment)
}

export function runAll(reading: Reading, statements: Statement[], environment: Environment): Reaches {
  declare(reading, statements, environment)
  for (const statement of statements) {
    if (!run(reading, statement, environment)) return false
  }
  return true
}

/** Functions and classes are known before the first statement of their block. */
function declare(reading: Reading, statements: Statement[], environment: Environment): void {
  for (const statement of statements) {
    if (statement.k === 'function') {
      const closure = { routine: statement.fn, environment, self: null }
      reading.waiting.push(closure)
      environment.names.set(statement.fn.name, { ...nothing, closure })
    } else if (statement.k === 'class') declareClass(reading, statement, environment)
    else if (statement.k === 'import') {
      for (const [local, path] of statement.names) environment.names.set(local, { ...nothing, paths: [path] })
    }
  }
}

function declareClass(reading: Reading, statement: Statement & { k: 'class' }, environment: Environment): void {
  const { name, parent, fields, methods } = statement
  const inside: Environment = { names: new Map(), guards: new Map(), outer: environment }
  inside.names.set('this', { ...nothing, owner: name, items: new Map() })
  reading.classes.set(name, {
    name,
    parent,
    fields,
    methods: new Map(methods.map((each) => [each.name, each])),
    environment: inside,
  })
}

function runClass(reading: Reading, statement: Statement & { k: 'class' }): void {
  const facts = reading.classes.get(statement.name)
  if (!facts) return
  runAll(reading, facts.fields, facts.environment)
  const self = { ...(facts.environment.names.get('this') ?? nothing), owner: facts.name }
  for (const routine of statement.methods) {
    reading.waiting.push({ routine, environment: facts.environment, self })
  }
}

function run(reading: Reading, statement: Statement, environment: Environment): Reaches {
  if (reading.budget < 0) return true
  switch (statement.k) {
    case 'expression':
      read(reading, statement.value, environment)
      return true
    case 'if':
      return runIf(reading, statement, environment)
    case 'loop':
      return runLoop(reading, statement, environment)
    case 'switch':
      return runSwitch(reading, statement, environment)
    case 'return':
      runReturn(reading, statement, environment)
      return false
    case 'throw':
      if (statement.value) read(reading, statement.value, environment)
      return false
    case 'leave':
      frameOf(reading).leaves.push(forked(environment))
      return false
    case 'try':
      return runTry(reading, statement, environment)
    case 'block':
      return runAll(reading, statement.body, environment)
    case 'class':
      runClass(reading, statement)
      return true
    case 'function':
    case 'import':
      return true
  }
}

function runIf(reading: Reading, statement: Statement & { k: 'if' }, environment: Environment): Reaches {
  const known = truth(read(reading, statement.test, environment).constant)
  const [yes, no] = [forked(environment), forked(environment)]
  refine(reading, statement.test, true, yes)
  refine(reading, statement.test, false, no)
  if (known !== undefined) {
    const way = known ? yes : no
    const reaches = runAll(reading, known ? statement.yes : statement.no, way)
    become(environment, way)
    return reaches
  }
  const yesReaches = runAll(reading, statement.yes, yes)
  const noReaches = runAll(reading, statement.no, no)
  if (yesReaches && noReaches) merge(yes, no)
  become(environment, yesReaches ? yes : no)
  return yesReaches || noReaches
}

/** Twice is enough for what a second round finds of what the first left. */
const ROUNDS = 2

function runLoop(reading: Reading, statement: Statement & { k: 'loop' }, environment: Environment): Reaches {
  runAll(reading, statement.before, environment)
  const outer = frameOf(reading).leaves
  const leaves: Environment[] = []
  frameOf(reading).leaves = leaves
  const skipped = forked(environment)
  let entered: Environment | null = null
  for (let round = 0; round < ROUNDS; round++) {
    const known = statement.test ? truth(read(reading, statement.test, environment).constant) : undefined
    if (known === false && !statement.once) break
    const inside = forked(environment)
    if (statement.test && !statement.once) refine(reading, statement.test, true, inside)
    if (statement.item) bindItem(reading, statement.item, inside)
    const reaches = runAll(reading, statement.body, inside)
    if (!reaches) break
    if (entered) merge(entered, inside)
    else entered = inside
    merge(environment, inside)
  }
  frameOf(reading).leaves = outer
  const isEndless =
    statement.test !== null &&
    !statement.item &&
    truth(read(reading, statement.test, forked(environment)).constant) === true
  const ways = [
    ...(statement.once || isEndless ? [] : [skipped]),
    ...(entered && !isEndless ? [entered] : []),
    ...leaves,
  ]
  const [first, ...others] = ways
  if (!first) {
    become(environment, skipped)
    return !isEndless && !statement.once
  }
  for (const other of others) merge(first, other)
  if (statement.test && leaves.length === 0) refine(reading, statement.test, false, first)
  become(environment, first)
  return true
}

function bindItem(
  reading: Reading,
  item: NonNullable<(Statement & { k: 'loop' })['item']>,
  environment: Environment,
): void {
  const whole = read(reading, item.of, environment)
  const flows = partOf(reading, allFlows(whole), '[]')
  const { line, column } = 'at' in item.of ? item.of.at.range().start : { line: 0, column: 0 }
  const several = item.target.k === 'pattern' || item.target.k === 'list'
  const paths = whole.paths.map((path) => `${path}[]`)
  const element: Value = { ...(flows.length > 0 ? flowing(stepped(flows, line, column)) : nothing), paths }
  const known = [...(whole.items?.values() ?? [])]
  const isKnown = !several && !item.keys && whole.length !== null && !whole.rest && known.length > 0
  store(reading, item.target, isKnown ? known.reduce((all, each) => join(all, each)) : element, environment)
}

function runSwitch(reading: Reading, statement: Statement & { k: 'switch' }, environment: Environment): Reaches {
  const value = read(reading, statement.value, environment)
  const tests = statement.cases.map(
    ({ tests: all }) => all?.map((test) => read(reading, test, environment).constant) ?? null,
  )
  const isDecided =
    value.constant !== undefined && tests.every((all) => all === null || all.every((each) => each !== undefined))
  let start = -1
  if (isDecided) {
    start = tests.findIndex((all) => all?.includes(value.constant ?? null))
    if (start < 0) start = tests.indexOf(null)
    if (start < 0) return true
  }
  const outer = frameOf(reading).leaves
  frameOf(reading).leaves = []
  const ends: Environment[] = []
  let falling: Environment | null = null
  statement.cases.forEach(({ tests: all, body, falls }, index) => {
    if (isDecided && index !== start && !falling) return
    const inside = forked(environment)
    if (falling) merge(inside, falling)
    const only = all?.length === 1 ? tests[index]?.[0] : undefined
    if (only !== undefined && !falling && statement.value.k === 'name' && only !== null && only !== '')
      inside.names.set(statement.value.name, constantValue(only))
    const reaches = runAll(reading, body, inside)
    falling = reaches && falls ? inside : null
    if (reaches && !falls) ends.push(inside)
  })
  if (falling) ends.push(falling)
  ends.push(...frameOf(reading).leaves)
  frameOf(reading).leaves = outer
  if (!isDecided && !tests.includes(null)) ends.push(forked(environment))
  const [first, ...others] = ends
  if (!first) return false
  for (const other of others) merge(first, other)
  become(environment, first)
  return true
}

function runTry(reading: Reading, statement: Statement & { k: 'try' }, environment: Environment): Reaches {
  const before = forked(environment)
  const reaches = runAll(reading, statement.body, environment)
  const ways: Environment[] = reaches ? [environment] : []
  for (const handler of statement.handlers) {
    const inside = forked(before)
    merge(inside, environment)
    if (runAll(reading, handler, inside)) ways.push(inside)
  }
  const [first, ...others] = ways
  if (first) {
    for (const other of others) merge(first, other)
    become(environment, first)
  }
  const ends = runAll(reading, statement.last, environment)
  return ends && first !== undefined
}

function runReturn(reading: Reading, statement: Statement & { k: 'return' }, environment: Environment): void {
  const frame = frameOf(reading)
  const value = statement.value ? read(reading, statement.value, environment) : nothing
  checkReturned(reading, statement, value, environment)
  const checked = unguarded(value, environment)
  frame.returns = frame.returns ? join(frame.returns, checked) : checked
  keepGuards(reading, environment)
}

/** What every way to the end of a function checked is checked for its caller. */
function keepGuards(reading: Reading, environment: Environment): void {
  const frame = frameOf(reading)
  if (!frame.guards) {
    frame.guards = new Map(environment.guards)
    return
  }
  keepCommon(frame.guards, environment.guards)
}

function checkReturned(
  reading: Reading,
  statement: Statement & { k: 'return' },
  value: Value,
  environment: Environment,
): void {
  const { routine } = frameOf(reading)
  if (allFlows(value).length === 0) return
  const marks = routine ? [...routine.marks, `fn.${wordsOf(routine.name)}`] : []
  const isForwarded =
    statement.value?.k === 'call' &&
    statement.value.callee.k === 'name' &&
    !/^(?:str|String|strval|hex)$/.test(statement.value.callee.name) &&
    reading.frames.length <= 2 &&
    value.flows.every(({ last }) => last.line === statement.at.range().start.line)
  if (marks.length === 0 || isForwarded) return
  for (const harm of reading.book.returnSinks.find(marks)) {
    const flows = harm.sink.text && value.items ? value.flows : allFlows(value)
    if (flows.length > 0 && harm.sink.where.every((condition) => meets(condition, value)))
      reportFlow(reading, harm, value, flows, environment, statement.at)
  }
}

/** The words of a name, however it joins them: `makeAPIKey` and `make_api_key` are one. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
