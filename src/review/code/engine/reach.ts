// Which functions of a piece of code may harm, by what they say themselves or by what they call of the same piece.

import type { Rulebook } from '../rules.ts'
import type { Routine, Statement } from '../tree.ts'
import { mayHarm } from '../words.ts'

/** Names of functions by which something is reached that a rule is about. */
export type Reaching = ReadonlySet<string>

/** Calls within calls that are looked through. */
const DEEPEST = 5

export function reachingOf({ trigger }: Rulebook, statements: readonly Statement[]): Reaching {
  const routines = statements.flatMap(routinesOf).filter(({ name }) => name !== '')
  const reaching = new Set(routines.filter((each) => mayHarm(trigger, each.text())).map(({ name }) => name))
  if (reaching.size === 0) return reaching
  let others = routines.filter(({ name }) => !reaching.has(name))
  for (let depth = 0; depth < DEEPEST; depth++) {
    const found = others.filter((each) => callsOne(reaching, each.text()))
    if (found.length === 0) break
    for (const { name } of found) reaching.add(name)
    others = others.filter(({ name }) => !reaching.has(name))
  }
  return reaching
}

export const mayReach = ({ trigger }: Rulebook, reaching: Reaching, routine: Routine): boolean => {
  const text = routine.text()
  return mayHarm(trigger, text) || callsOne(reaching, text)
}

function callsOne(reaching: Reaching, text: string): boolean {
  if (reaching.size === 0) return false
  for (const [, name = ''] of text.matchAll(/(?<![\w$])([A-Za-z_$][\w$]*)\s*[()]/g)) if (reaching.has(name)) return true
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
