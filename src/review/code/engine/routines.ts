// Functions that are at fault by what they answer, whatever they are asked.

import type { Routine, Statement } from '../tree.ts'
import type { Environment } from './environment.ts'
import { type Reading, reportFlaw } from './reading.ts'

const TELLS = /^(?:trace|debug|info|warn|warning|error|severe|fine|log|print|println|printf|printStackTrace)$/

/** Whether it only says something, to a log or to who runs the program. */
const tells = (statement: Statement): boolean =>
  statement.k === 'expression' &&
  statement.value.k === 'call' &&
  statement.value.callee.k === 'member' &&
  TELLS.test(statement.value.callee.name)

/** What a function answers, where it does nothing else but say so: `true`, or nothing at all. */
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
    if (fault.flaw.where.every(({ answers }) => answers === undefined || answerOf(routine) === answers))
      reportFlaw(reading, fault, routine.at, environment)
  }
}
