// An update is sent with what the thing that it changes has now: nothing is overwritten by the way, and what may not change is not.

import { isFine } from './checks/ownership.ts'
import { changeJson, isObject, leavesOf, readJson, valueAt } from './json-leaves.ts'
import type { Seen } from './seen.ts'
import type { Identity, Json, Operation } from './types.ts'
import { isMadeUpValue, leafName } from './values.ts'

/** What somebody signs in with: an account that loses it is nobody's any more. */
const SIGN_IN = /^(user|username|login|e?mail|emailaddress|userid)$/

/** The update with the values that its reading of the same address answers `asker` with, in place of made-up ones. */
export function withCurrentValues(
  given: Operation,
  operations: readonly Operation[],
  asker: Identity,
  seen: Pick<Seen, 'find'>,
): Operation {
  const { body } = given
  if (given.kind !== 'update' || body?.type !== 'json') return given
  const reader = operations.find(
    ({ kind, path, origin, parameters }) =>
      kind === 'read' && path === given.path && origin === given.origin && isAlike(parameters, given.parameters),
  )
  const exchange = reader && seen.find(reader, asker)
  const thing = isFine(exchange) ? innermost(readJson(exchange.text)) : undefined
  if (thing === undefined) return given
  const current = leavesOf(body.value, body.schema).flatMap((leaf) => {
    const now = isMadeUpValue(leaf.schema) ? valueAt(thing, leaf.name) : undefined
    const fits = now !== undefined && now !== null && typeof now === typeof leaf.value && typeof now !== 'object'
    return fits ? [{ point: { place: 'json' as const, ...leaf }, value: now }] : []
  })
  const fixed = current.flatMap(({ point: { name }, value }) =>
    SIGN_IN.test(leafName(name)) && signsInWith(asker, String(value)) ? [name] : [],
  )
  return {
    ...given,
    body: { ...body, value: changeJson(body.value, current) },
    ...(fixed.length > 0 ? { fixed: [...(given.fixed ?? []), ...fixed] } : {}),
  }
}

const signsInWith = ({ name, login }: Identity, value: string): boolean =>
  name === value ||
  (login?.type === 'FORM' && login.username === value) ||
  (login?.type === 'TOKEN' && value.length > 2 && String(login.request.body ?? '').includes(value))

const isAlike = (one: Operation['parameters'], other: Operation['parameters']): boolean =>
  one.every(
    ({ place, name, value }) =>
      place !== 'path' || other.some((each) => each.place === 'path' && each.name === name && each.value === value),
  )

/** An answer without what it is wrapped in. */
function innermost(json: Json | undefined): Json | undefined {
  if (!isObject(json)) return undefined
  const inner = Object.values(json)
  const [only] = inner
  return inner.length === 1 && isObject(only) ? only : json
}
