// What names are bound to at a point of the code, and which outside data has been checked by then.

import { entryOf, type Ledger, noteRead, noteWrite, openLedger } from './ledger.ts'
import { type Flow, join, nothing, type Value } from './value.ts'

/** `guards`: origin of a flow → what it was checked against. `outer` is the environment that a function was made in. */
export type Environment = {
  names: Map<string, Value>
  /** never changed but replaced, so that environments share them */
  guards: ReadonlyMap<number, ReadonlySet<string>>
  outer: Environment | null
  /** how many were opened before it */
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

/** Makes the piece of code know the names, so that what is set here is there as well; around it are the imports of others. */
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

/** Sets a name here, or adds to what it may be in the environment around, where it is known there alone. */
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

/** Brings what two ways led to into the first. */
export function merge(into: Environment, other: Environment): void {
  for (const [name, value] of other.names) {
    const known = into.names.get(name)
    if (known === value) continue
    into.names.set(name, known ? join(unguarded(known, into), unguarded(value, other)) : value)
  }
  into.guards = commonOf(into.guards, other.guards)
}

/** What both say. */
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

/** What the flow was checked against here, by itself or as part of a whole. */
export const checkedOf = ({ origin, parent }: Flow, { guards }: Environment): ReadonlySet<string> | undefined =>
  guards.get(origin) ?? (parent === null ? undefined : guards.get(parent))

/** The value as it leaves the point where it was checked: its flows carry what they were checked against. */
export function unguarded(value: Value, environment: Environment): Value {
  if (environment.guards.size === 0 || value.flows.length === 0) return value
  const flows = value.flows.flatMap((flow) => {
    const kinds = checkedOf(flow, environment)
    if (!kinds) return [flow]
    return kinds.has('*') ? [] : [{ ...flow, cleaned: new Set([...flow.cleaned, ...kinds]) }]
  })
  return { ...value, flows }
}

/** Makes the first what the second is. */
export function become(environment: Environment, { names, guards }: Environment): void {
  environment.names = names
  environment.guards = guards
}

export function guard(environment: Environment, origin: number, kinds: readonly string[]): void {
  const known = environment.guards.get(origin)
  if (known && kinds.every((kind) => known.has(kind))) return
  environment.guards = new Map(environment.guards).set(origin, new Set([...(known ?? []), ...kinds]))
}

/** Takes away one thing that the origin was checked against. */
export function unguard(environment: Environment, origin: number, kind: string): void {
  const kinds = environment.guards.get(origin)
  if (!kinds?.has(kind)) return
  const left = new Set([...kinds].filter((each) => each !== kind))
  environment.guards = new Map(environment.guards).set(origin, left)
}
