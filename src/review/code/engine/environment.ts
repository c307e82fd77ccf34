// What names are bound to at a point of the code, and which outside data has been checked by then.

import { entryOf, type Ledger, noteRead, noteWrite, openLedger } from './ledger.ts'
import { type Flow, join, nothing, type Value } from './value.ts'

/** `guards` maps the origin of a flow to what it was checked against. `outer` is the environment in which a function was defined. */
export type Environment = {
  names: Map<string, Value>
  /** immutable: replaced instead of changed, so that environments can share it */
  guards: ReadonlyMap<number, ReadonlySet<string>>
  outer: Environment | null
  /** number of environments opened before this one */
  born: number
  ledger: Ledger
}

const unchecked: Environment['guards'] = new Map()

export const openEnvironment = (
  outer: Environment | null,
  guards = unchecked,
  ledger = outer?.ledger ?? openLedger(),
): Environment => ({ names: new Map(), guards, outer, born: ledger.opened++, ledger })

export const forked = ({ names, guards, outer, ledger }: Environment): Environment => ({
  names: new Map(names),
  guards,
  outer,
  born: ledger.opened++,
  ledger,
})

/** Declares names at the top level of the piece of code, so that what is assigned here is visible there. The outermost environment holds the imports of other pieces. */
export function share(environment: Environment, names: readonly string[]): void {
  let root = environment
  while (root.outer?.outer) root = root.outer
  const entry = entryOf(environment.ledger)
  for (const name of names) {
    if (lookup(environment, name)) continue
    root.names.set(name, nothing)
    if (entry) noteWrite(entry, root, name)
  }
}

export function lookup(environment: Environment, name: string): Value | undefined {
  const entry = entryOf(environment.ledger)
  let outside: Environment | null = null
  for (let at: Environment | null = environment; at; at = at.outer) {
    if (entry && outside === null && at.born < entry.start) outside = at
    const value = at.names.get(name)
    if (!value) continue
    if (entry && outside) noteRead(entry, outside, name, value, at)
    return value
  }
  if (entry && outside) noteRead(entry, outside, name, undefined, null)
  return undefined
}

/** Sets a name here. If only an outer environment knows it, the value is added to what it may be there as well. */
export function assign(environment: Environment, name: string, value: Value): void {
  if (!environment.names.has(name)) addAround(environment, name, value)
  environment.names.set(name, value)
}

function addAround(environment: Environment, name: string, value: Value): void {
  const known = environment.outer && lookup(environment.outer, name)
  if (!known) return
  let at = environment.outer
  while (at && !at.names.has(name)) at = at.outer
  if (!at) return
  at.names.set(name, join(known, value))
  const entry = entryOf(environment.ledger)
  if (entry) noteWrite(entry, at, name)
}

/** Merges the state at the end of two branches into the first. */
export function merge(into: Environment, other: Environment): void {
  for (const [name, value] of other.names) {
    const known = into.names.get(name)
    if (known === value) continue
    into.names.set(name, known ? join(unguarded(known, into), unguarded(value, other)) : value)
  }
  into.guards = commonOf(into.guards, other.guards)
}

/** The checks that both have made. */
export function commonOf(guards: Environment['guards'], others: Environment['guards']): Environment['guards'] {
  if (guards === others || guards.size === 0) return guards
  const common = new Map<number, ReadonlySet<string>>()
  for (const [origin, kinds] of guards) {
    const other = others.get(origin)
    if (other)
      common.set(
        origin,
        kinds.has('*') ? other : other.has('*') ? kinds : new Set([...kinds].filter((each) => other.has(each))),
      )
  }
  return common
}

/** What the flow was checked against here, by itself or as part of a larger object. */
export const checkedOf = ({ origin, parent }: Flow, { guards }: Environment): ReadonlySet<string> | undefined =>
  guards.get(origin) ?? (parent === null ? undefined : guards.get(parent))

/** The value as it leaves the scope of its checks: its flows carry them along. */
export function unguarded(value: Value, environment: Environment): Value {
  if (environment.guards.size === 0 || value.flows.length === 0) return value
  const flows = value.flows.flatMap((flow) => {
    const kinds = checkedOf(flow, environment)
    if (!kinds) return [flow]
    return kinds.has('*') ? [] : [{ ...flow, cleaned: new Set([...flow.cleaned, ...kinds]) }]
  })
  return { ...value, flows }
}

/** Replaces the state of the first with that of the second. */
export function become(environment: Environment, { names, guards }: Environment): void {
  environment.names = names
  environment.guards = guards
}

export function guard(environment: Environment, origin: number, kinds: readonly string[]): void {
  const known = environment.guards.get(origin)
  if (known && kinds.every((kind) => known.has(kind))) return
  environment.guards = new Map(environment.guards).set(origin, new Set([...(known ?? []), ...kinds]))
}

/** Revokes one check of an origin. */
export function unguard(environment: Environment, origin: number, kind: string): void {
  const kinds = environment.guards.get(origin)
  if (!kinds?.has(kind)) return
  const left = new Set([...kinds].filter((each) => each !== kind))
  environment.guards = new Map(environment.guards).set(origin, left)
}
