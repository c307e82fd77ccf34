// Functions that are flawed in themselves: they return the same whatever is asked, or leave out a necessary step.

import type { Condition } from '../rule-file.ts'
import type { Routine, Statement } from '../tree.ts'
import type { Environment } from './environment.ts'
import { descendsByKeys, mergesAll } from './merging.ts'
import { expressionOf, type Reading, reportFlaw } from './reading.ts'

const TELLS = /^(?:trace|debug|info|warn|warning|error|severe|fine|log|print|println|printf|printStackTrace)$/

/** Whether it only writes to a log or to the console. */
const tells = (statement: Statement): boolean =>
  statement.k === 'expression' &&
  statement.value.k === 'call' &&
  statement.value.callee.k === 'member' &&
  TELLS.test(statement.value.callee.name)

/** What a function returns if it does nothing else: `true`, or nothing. */
export function answerOf({ body }: Routine): 'true' | 'nothing' | null {
  const [first, ...others] = body().filter((statement) => !tells(statement))
  if (!first) return 'nothing'
  if (others.length > 0 || first.k !== 'return') return null
  const { value } = first
  if (
    value === null ||
    (value.k === 'name' && value.name === 'undefined') ||
    (value.k === 'name' && value.name === 'nil')
  )
    return 'nothing'
  if (value.k !== 'constant') return null
  return value.value === true ? 'true' : value.value === null ? 'nothing' : null
}

export function checkRoutine(reading: Reading, routine: Routine, environment: Environment): void {
  const { routineFlaws } = reading.book
  if (routineFlaws.size() === 0 || (routine.name === '' && routine.marks.length === 0)) return
  const types = routine.parameters.map(({ type }) => type ?? '').join(':')
  for (const fault of routineFlaws.find([
    routine.name,
    `${routine.name}:${types}`,
    ...routine.marks.map((mark) => `@${mark}`),
  ])) {
    const isMet = ({ answers, merges, descends, unmarked }: Condition) =>
      (answers === undefined || answerOf(routine) === answers) &&
      (unmarked === undefined || !routine.marks.some((mark) => expressionOf(unmarked).test(mark))) &&
      (!merges || mergesAll(routine)) &&
      (!descends || (reading.reaching.hot?.knowsPrototype !== true && descendsByKeys(routine)))
    if (fault.flaw.where.every(isMet)) reportFlaw(reading, fault, routine.at, environment)
  }
}
