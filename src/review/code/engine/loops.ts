// Runs statements that can be left early: loops and switches.

import type { Statement } from '../tree.ts'
import { truth } from './constants.ts'
import { become, type Environment, forked, merge } from './environment.ts'
import { pathsOf, read } from './expressions.ts'
import { refine } from './guards.ts'
import { store } from './members.ts'
import { frameOf, partOf, type Reading, sourceAt } from './reading.ts'
import { type Reaches, runAll } from './statements.ts'
import { allFlows, constantValue, flowing, join, nothing, stepped, unite, type Value } from './value.ts'

/** A second round sees what the first one assigned; more rounds would hardly find more. */
const ROUNDS = 2

export function runLoop(reading: Reading, statement: Statement & { k: 'loop' }, environment: Environment): Reaches {
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
  const isEndless = statement.test?.k === 'constant' && !statement.item && truth(statement.test.value) === true
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
  const names = pathsOf(item.of, whole).map((path) => `${path}[]`)
  const [label] = reading.book.sources.find(names)
  const outside =
    label === undefined || !('at' in item.of) ? [] : [sourceAt(reading, label, item.of.at, names[0] ?? '', false)]
  const flows = unite(partOf(reading, allFlows(whole), '[]'), outside)
  const { line, column } = 'at' in item.of ? item.of.at.range().start : { line: 0, column: 0 }
  const several = item.target.k === 'pattern' || item.target.k === 'list'
  const paths = whole.paths.map((path) => `${path}[]`)
  const element: Value = { ...(flows.length > 0 ? flowing(stepped(flows, line, column)) : nothing), paths }
  const known = [...(whole.items?.values() ?? [])]
  const isKnown = !several && !item.keys && whole.length !== null && !whole.rest && known.length > 0
  store(reading, item.target, isKnown ? known.reduce((all, each) => join(all, each)) : element, environment)
}

export function runSwitch(reading: Reading, statement: Statement & { k: 'switch' }, environment: Environment): Reaches {
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
