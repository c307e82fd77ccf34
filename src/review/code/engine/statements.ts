// Runs statements in order, both branches of an undecided condition, and says whether the end is reached.

import type { Expression, Statement } from '../tree.ts'
import { truth } from './constants.ts'
import { become, type Environment, forked, lookup, merge, openEnvironment, share } from './environment.ts'
import { read } from './expressions.ts'
import { refine } from './guards.ts'
import { forget } from './ledger.ts'
import { runLoop, runSwitch } from './loops.ts'
import { frameOf, type Reading } from './reading.ts'
import { keepGuards, runReturn } from './returns.ts'
import { nothing } from './value.ts'

/** False if every path returns, throws or leaves the loop. */
export type Reaches = boolean

/** Runs the body of a function; reaching its end returns nothing. */
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

/** Hoists functions and classes: they are known before the first statement of their block. */
function declare(reading: Reading, statements: Statement[], environment: Environment): void {
  for (const statement of statements) {
    if (statement.k === 'function') {
      const closure = { routine: statement.fn, environment, self: null }
      reading.waiting.push(closure)
      environment.names.set(statement.fn.name, { ...nothing, closure })
    } else if (statement.k === 'expression' && statement.value.k === 'assign')
      declareNamed(statement.value, environment)
    else if (statement.k === 'class') declareClass(reading, statement, environment)
    else if (statement.k === 'import') {
      for (const [local, path, isRenamed] of statement.names)
        environment.names.set(local, { ...nothing, paths: [path], isRenamed })
    }
  }
}

/** Declares the functions of one piece in the other pieces of its file. */
export function shareFunctions(statements: readonly Statement[], environment: Environment): void {
  const around = environment.outer
  if (!around) return
  for (const statement of statements) {
    if (statement.k === 'function') {
      const closure = { routine: statement.fn, environment, self: null }
      around.names.set(statement.fn.name, { ...nothing, closure })
    } else if (statement.k === 'expression' && statement.value.k === 'assign') {
      const { target, value } = statement.value
      if (target.k === 'name' && value.k === 'function')
        around.names.set(target.name, { ...nothing, closure: { routine: value.fn, environment, self: null } })
    }
  }
}

/** A function that is assigned to a name may be called by code that stands before the assignment. */
function declareNamed({ target, value }: Expression & { k: 'assign' }, environment: Environment): void {
  if (target.k === 'name' && value.k === 'function' && !environment.names.has(target.name))
    environment.names.set(target.name, { ...nothing, closure: { routine: value.fn, environment, self: null } })
}

function declareClass(reading: Reading, statement: Statement & { k: 'class' }, environment: Environment): void {
  const { name, parent, fields, methods } = statement
  reading.classCount += 1
  forget(reading.ledger)
  const known = reading.classes.get(name)
  const all = new Map(methods.map((each) => [each.name, each]))
  // Another piece of the file has shown other parts of the same class.
  if (known && known.part !== reading.part) {
    for (const [each, routine] of known.methods) if (!all.has(each)) all.set(each, routine)
    Object.assign(known, { parent: parent ?? known.parent, fields, methods: all, part: reading.part })
    return
  }
  const inside = openEnvironment(environment)
  inside.names.set('this', { ...nothing, owner: name, items: new Map() })
  reading.classes.set(name, { name, parent, fields, methods: all, environment: inside, part: reading.part })
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
      return !ends(statement.value, environment)
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
    case 'global':
      share(environment, statement.names)
      return true
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

/** Calls that never return: they throw, or end the program or the response. */
const ENDS =
  /^(?:(?:flask\.)?abort|(?:sys\.)?exit|quit|os\._exit|process\.exit|(?:ctx|context|c)\.throw|panic|log\.(?:Fatal|Panic)(?:f|ln)?|os\.Exit|System\.exit|die|wp_die|notFound|wp_send_json(?:_error|_success)?)$/

function ends(value: Expression, environment: Environment): boolean {
  if (value.k !== 'call') return false
  const { callee } = value
  if (callee.k === 'name') return ENDS.test(callee.name) && !lookup(environment, callee.name)?.closure
  return callee.k === 'member' && callee.object.k === 'name' && ENDS.test(`${callee.object.name}.${callee.name}`)
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
