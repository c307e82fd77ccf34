// Reads one piece of code by the rules of its language: its statements, then each function as if anything called it.

import type { Rulebook } from '../rules.ts'
import type { Routine, Statement } from '../tree.ts'
import type { Hot } from '../words.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { selfAfter } from './invoke.ts'
import { store } from './members.ts'
import { castTo } from './operators.ts'
import { isToRead, reachingOf } from './reach.ts'
import { frameOf, type Hit, openReading, type Reading, sourceAt } from './reading.ts'
import { checkRoutine } from './routines.ts'
import { runAll, runBody, shareFunctions } from './statements.ts'
import { type Closure, called, GIVEN, isOutside, put, type Value } from './value.ts'

/** The most functions of one piece of code that are read on their own. */
const MOST_ROUTINES = 5000

/** A piece of code that is read together with others of its file; `environment` has the imports of earlier ones. */
export type Part = { statements: Statement[]; environment: Environment }

/** The hits of all parts, sorted by line. */
export function readParts(book: Rulebook, hot: Hot | null, parts: readonly Part[]): Hit[] {
  const [first] = parts
  if (!first) return []
  const reaching = reachingOf(
    hot,
    parts.flatMap(({ statements }) => statements),
  )
  const reading = openReading(book, reaching, first.environment.ledger)
  if (parts.length > 1) for (const { statements, environment } of parts) shareFunctions(statements, environment)
  for (const part of parts) {
    reading.part += 1
    runAll(reading, part.statements, part.environment)
  }
  const read = new Set<Routine>()
  for (let next = 0; next < reading.waiting.length && read.size < MOST_ROUTINES && reading.budget > 0; next++) {
    const closure = reading.waiting[next]
    if (!closure || read.has(closure.routine)) continue
    read.add(closure.routine)
    const isAnswered = closure.routine.name === '' && reading.entered.has(closure.routine)
    if (!isAnswered && isToRead(reading.reaching, closure.routine)) readRoutine(reading, closure)
  }
  return [...reading.hits.values()].sort((one, other) => one.line - other.line || one.column - other.column)
}

/** Whether a parameter of this type may be a string; one without a type may. */
const isText = (type: string | null) =>
  type === null ||
  /^\??(?:string|String|str|any|CharSequence|Optional\[str\]|mixed|string\|null|byte\[\]|InputStream)$/.test(type)

/** Reads a function of whose arguments only the types, names and annotations are known. */
function readRoutine(reading: Reading, { routine, environment, self: own }: Closure): void {
  const self = currentSelf(reading, own)
  const inner: Environment = openEnvironment(environment, environment.guards)
  if (self) inner.names.set('this', self)
  if (self && routine.receiver)
    inner.names.set(routine.receiver, { ...self, paths: routine.owner ? [routine.owner] : [] })
  const heads = routine.parameters.slice(0, 2).map(({ target }) => (target.k === 'name' ? target.name : ''))
  const [everything] = reading.book.routineMarks.find([...routine.marks, heads.join('+')])
  const [framework] = reading.book.routineListeners.find([routine.name])
  checkRoutine(reading, routine, inner)
  const isSeen = reading.entered.has(routine)
  routine.parameters.forEach(({ target, type, marks }, index) => {
    const isSelf =
      index === 0 && self !== null && target.k === 'name' && (target.name === 'self' || target.name === 'cls')
    const [marked] = reading.book.marks.find(marks)
    const isHanded = type !== null && reading.book.handed.find([type]).length > 0
    const label = marked ?? (isHanded ? undefined : everything)
    const at = 'at' in target ? target.at : routine.at
    const base = isSelf ? self : called(framework?.given?.[index] ? [framework.given[index]] : [])
    const known: Value = type === null ? base : { ...base, paths: [...base.paths, type] }
    const given =
      label !== undefined && !isSelf
        ? {
            ...known,
            flows: [
              sourceAt(
                reading,
                label,
                at,
                `parameter ${index}`,
                marked !== undefined && !/^(?:S|s)tr(?:ing)?$/.test(type ?? 'str'),
              ),
            ],
          }
        : isSelf || isSeen || target.k !== 'name' || !isText(type)
          ? known
          : { ...known, flows: [sourceAt(reading, GIVEN, at, `given ${index}`, false)] }
    store(reading, target, castTo(type ?? '', given), inner)
  })
  reading.frames.push({ routine, returns: null, guards: null, leaves: [] })
  runBody(reading, routine.body(), inner)
  reading.frames.pop()
  frameOf(reading).leaves = []
  if (self) keepFields(reading, inner, routine, self)
}

/** Outside data that a method stores in fields is visible to the methods that are read after it. */
function keepFields({ classes }: Reading, { names }: Environment, routine: Routine, self: Value): void {
  const { owner } = routine
  const after = selfAfter({ names }, routine)?.items
  const facts = classes.get(self.owner ?? owner ?? '')
  const known = facts?.environment.names.get('this')
  if (!after || !facts || !known) return
  let kept = known
  for (const [name, value] of after) {
    const flows = value.flows.filter(isOutside)
    if (flows.length > 0 && !value.closure) kept = put(kept, name, { ...value, flows, constant: undefined })
  }
  facts.environment.names.set('this', kept)
}

/** The object of a method, with what earlier methods stored in it. */
function currentSelf({ classes }: Reading, self: Value | null): Value | null {
  const items = classes.get(self?.owner ?? '')?.environment.names.get('this')?.items
  return self && items && items.size > 0 ? { ...self, items: new Map([...(self.items ?? []), ...items]) } : self
}
