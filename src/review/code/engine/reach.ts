// Which functions of a piece of code can reach a sink, directly or through others of the same piece.

import type { Routine, Statement } from '../tree.ts'
import { type Hot, mayFeed, mayHarm } from '../words.ts'

/**
 * `names` of functions by which something is reached that a rule is about; `hot` is null where none can be. `known` keeps
 * whether a function reaches something, because a function is asked about at each of its calls.
 */
export type Reaching = { names: ReadonlySet<string>; hot: Hot | null; known: Map<Routine, boolean> }

/** Calls within calls that are looked through. */
const DEEPEST = 5

export function reachingOf(hot: Hot | null, statements: readonly Statement[]): Reaching {
  const known = new Map<Routine, boolean>()
  if (!hot) return { names: new Set(), hot, known }
  const routines = statements.flatMap(routinesOf).filter(({ name }) => name !== '')
  const names = new Set(routines.filter((each) => mayHarm(hot, saidBy(each))).map(({ name }) => name))
  if (names.size === 0) return { names, hot, known }
  let others = routines.filter(({ name }) => !names.has(name))
  for (let depth = 0; depth < DEEPEST; depth++) {
    const found = others.filter((each) => callsOne(names, each.text()))
    if (found.length === 0) break
    for (const { name } of found) names.add(name)
    others = others.filter(({ name }) => !names.has(name))
  }
  return { names, hot, known }
}

export function mayReach({ names, hot, known }: Reaching, routine: Routine): boolean {
  if (!hot) return false
  let reaches = known.get(routine)
  if (reaches === undefined) {
    reaches = mayHarm(hot, saidBy(routine)) || callsOne(names, routine.text())
    known.set(routine, reaches)
  }
  return reaches
}

/** A function with its marks, which stand before it. */
const saidBy = ({ marks, text }: Routine): string =>
  marks.length === 0 ? text() : `${marks.map((mark) => `@${mark}`).join(' ')} ${text()}`

/** Whether a function may harm, or take in what others harm by. */
export const isToRead = (reaching: Reaching, routine: Routine): boolean =>
  mayReach(reaching, routine) || (reaching.hot !== null && mayFeed(reaching.hot, saidBy(routine)))

function callsOne(names: ReadonlySet<string>, text: string): boolean {
  if (names.size === 0) return false
  for (const [, name = ''] of text.matchAll(/(?<![\w$])([A-Za-z_$][\w$]*)\s*[()]/g)) if (names.has(name)) return true
  return false
}

/** The functions and methods that a statement gives a name. */
function routinesOf(statement: Statement): Routine[] {
  if (statement.k === 'function') return [statement.fn]
  if (statement.k === 'class') return [...statement.methods, ...statement.fields.flatMap(routinesOf)]
  if (statement.k === 'block') return statement.body.flatMap(routinesOf)
  if (statement.k !== 'expression' || statement.value.k !== 'assign') return []
  const { target, value } = statement.value
  if (value.k === 'map')
    return value.entries.flatMap(({ key, value: given }) =>
      given.k === 'function' && key?.k === 'constant' ? [{ ...given.fn, name: String(key.value) }] : [],
    )
  if (value.k !== 'function') return []
  const name = target.k === 'name' || target.k === 'member' ? target.name : value.fn.name
  return [{ ...value.fn, name }]
}
