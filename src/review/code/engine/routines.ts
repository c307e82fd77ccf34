// Functions that are flawed in themselves: they return the same whatever is asked, or leave out a necessary step.

import type { Condition } from '../rule-file.ts'
import type { Routine, Statement } from '../tree.ts'
import type { Environment } from './environment.ts'
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

/** Signs of a merge that skips the keys of the prototype. */
const LEAVES_OUT = /__proto__|['"`]prototype['"`]|(?:Safe|Forbidden|Denied|Blocked|Allowed)_?Key|Pollut/i

/** Whether a function copies all keys of one parameter into another, and calls itself for nested objects. */
function mergesAll({ name, parameters, text }: Routine): boolean {
  const code = text()
  const body = code.slice(code.search(/\{|=>/))
  if (LEAVES_OUT.test(code) || !/^\w+$/.test(name) || !new RegExp(`\\b${name}\\(`).test(body)) return false
  const names = parameters.flatMap(({ target }) =>
    target.k === 'name' && /^\w+$/.test(target.name) ? [target.name] : [],
  )
  return names.some((from) => {
    const key = keyOver(code, from)
    return key !== undefined && names.some((into) => into !== from && takes(code, into, key))
  })
}

/** The loop variable of a loop over the keys of an object. */
function keyOver(code: string, object: string): string | undefined {
  const loop = new RegExp(
    `for \\((?:(?:const|let|var) )?(?:(\\w+) in ${object}\\)|\\[?(\\w+)[^)]{0,40} of Object\\.(?:keys|entries)\\(${object}\\))`,
  )
  const each = new RegExp(`Object\\.(?:keys|entries)\\(${object}\\)\\.(?:forEach|map)\\((?:function )?\\(?\\[?(\\w+)`)
  const plain = code
    .replace(/\s+/g, ' ')
    .replaceAll('for(', 'for (')
    .replaceAll('( ', '(')
    .replaceAll('function(', 'function (')
  return [...(loop.exec(plain)?.slice(1) ?? []), each.exec(plain)?.[1]].find(Boolean)
}

const takes = (code: string, into: string, key: string): boolean =>
  new RegExp(`\\b${into}\\s*\\[\\s*${key}\\s*\\]\\s*=[^=]`).test(code) &&
  !new RegExp(`hasOwn(?:Property)?(?:\\.call)?\\(\\s*${into}\\b|\\b${into}\\.hasOwn`).test(code) &&
  // the key is looked up in a list whose name is that of a constant
  !new RegExp(`\\b[A-Z][A-Z\\d_]+\\.(?:has|includes|test)\\(\\s*${key}\\b`).test(code)

export function checkRoutine(reading: Reading, routine: Routine, environment: Environment): void {
  const { routineFlaws } = reading.book
  if (routineFlaws.size() === 0 || (routine.name === '' && routine.marks.length === 0)) return
  const types = routine.parameters.map(({ type }) => type ?? '').join(':')
  for (const fault of routineFlaws.find([
    routine.name,
    `${routine.name}:${types}`,
    ...routine.marks.map((mark) => `@${mark}`),
  ])) {
    const isMet = ({ answers, merges, unmarked }: Condition) =>
      (answers === undefined || answerOf(routine) === answers) &&
      (unmarked === undefined || !routine.marks.some((mark) => expressionOf(unmarked).test(mark))) &&
      (!merges || mergesAll(routine))
    if (fault.flaw.where.every(isMet)) reportFlaw(reading, fault, routine.at, environment)
  }
}
