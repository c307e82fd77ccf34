// What names stand for at a point of the code, and which outside data has been checked by then.

import { type Flow, join, nothing, type Value } from './value.ts'

/** `guards`: origin of a flow → what it was checked against. `outer` is the environment that a function was made in. */
export type Environment = {
  names: Map<string, Value>
  guards: Map<number, ReadonlySet<string>>
  outer: Environment | null
}

export const openEnvironment = (outer: Environment | null, guards?: Environment['guards']): Environment => ({
  names: new Map(),
  guards: new Map(guards),
  outer,
})

export const forked = ({ names, guards, outer }: Environment): Environment => ({
  names: new Map(names),
  guards: new Map(guards),
  outer,
})

/** Makes the piece of code know the names, so that what is set here is there as well; around it are the imports of others. */
export function share(environment: Environment, names: readonly string[]): void {
  let root = environment
  while (root.outer?.outer) root = root.outer
  for (const name of names) if (!lookup(environment, name)) root.names.set(name, nothing)
}

export function lookup(environment: Environment, name: string): Value | undefined {
  for (let at: Environment | null = environment; at; at = at.outer) {
    const value = at.names.get(name)
    if (value) return value
  }
  return undefined
}

/** Sets a name here, or adds to what it may be in the environment around, where it is known there alone. */
export function assign(environment: Environment, name: string, value: Value): void {
  if (!environment.names.has(name)) {
    for (let at = environment.outer; at; at = at.outer) {
      const known = at.names.get(name)
      if (!known) continue
      at.names.set(name, join(known, value))
      break
    }
  }
  environment.names.set(name, value)
}

/** Brings what two ways led to into the first. */
export function merge(into: Environment, other: Environment): void {
  for (const [name, value] of other.names) {
    const known = into.names.get(name)
    if (known === value) continue
    into.names.set(name, known ? join(unguarded(known, into), unguarded(value, other)) : value)
  }
  keepCommon(into.guards, other.guards)
}

/** Leaves of the first what the second says as well. */
export function keepCommon(guards: Environment['guards'], others: Environment['guards']): void {
  for (const [origin, kinds] of guards) {
    const other = others.get(origin)
    if (!other) guards.delete(origin)
    else
      guards.set(
        origin,
        kinds.has('*') ? other : other.has('*') ? kinds : new Set([...kinds].filter((each) => other.has(each))),
      )
  }
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
  environment.guards.set(origin, new Set([...(environment.guards.get(origin) ?? []), ...kinds]))
}

/** Takes away one thing that the origin was checked against. */
export function unguard(environment: Environment, origin: number, kind: string): void {
  const kinds = environment.guards.get(origin)
  if (kinds?.has(kind)) environment.guards.set(origin, new Set([...kinds].filter((each) => each !== kind)))
}
