// Functions that are at fault by what they answer, whatever they are asked.

import type { Routine } from '../tree.ts'
import type { Environment } from './environment.ts'
import { type Reading, reportFlaw } from './reading.ts'

/** What a function answers, where it does nothing else: `true`, or nothing at all. */
export function answerOf({ body }: Routine): 'true' | 'nothing' | null {
  const [first, ...others] = body()
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
