// Sends updates with an object's current values, so that nothing is overwritten in passing and read-only fields stay as they are.

import { isFine } from './checks/ownership.ts'
import { changeJson, isObject, leavesOf, readJson, valueAt } from './json-leaves.ts'
import type { Seen } from './seen.ts'
import type { Identity, Json, Operation } from './types.ts'
import { isMadeUpValue, leafName } from './values.ts'

/** Fields with which people sign in: an account that loses them becomes unusable. */
const SIGN_IN = /^(user|username|login|e?mail|emailaddress|userid)$/

/** Fields for permissions, and for whether the account is enabled. */
const RIGHTS = /admin|role|superuser|staff|permission|^(is)?(active|enabled|blocked|banned|verified)$/

/** The update, with made-up values replaced by those that a read of the same address returns to `asker`. */
export function withCurrentValues(
  given: Operation,
  operations: readonly Operation[],
  asker: Identity,
  seen: Pick<Seen, 'find'>,
): Operation {
  const { body } = given
  if (given.kind !== 'update') return given
  if (body?.type !== 'json') return withOwnNames(given, asker)
  const reader = operations.find(
    ({ kind, path, origin, parameters }) =>
      kind === 'read' && path === given.path && origin === given.origin && isAlike(parameters, given.parameters),
  )
  const exchange = reader && seen.find(reader, asker)
  const thing = isFine(exchange) ? innermost(readJson(exchange.text)) : undefined
  if (thing === undefined) return withOwnNames(given, asker)
  const current = leavesOf(body.value, body.schema).flatMap((leaf) => {
    // an example of a name or a permission belongs to another user, and would change the account
    const name = leafName(leaf.name)
    const isOpen = isMadeUpValue(leaf.schema) || SIGN_IN.test(name) || RIGHTS.test(name)
    const now = isOpen ? valueAt(thing, leaf.name) : undefined
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

/** For an update of the sender's own account: keeps the user name and e-mail address of the sender's login. */
function withOwnNames(given: Operation, asker: Identity): Operation {
  const { body } = given
  if (body?.type !== 'json' && body?.type !== 'graphql') return given
  const tree = body.type === 'json' ? body.value : body.variables
  const leaves = leavesOf(tree, body.type === 'json' ? body.schema : undefined)
  const namesAnother =
    given.parameters.some(({ place }) => place === 'path' || place === 'query') ||
    leaves.some(({ name }) => /(id|uuid|guid)$/.test(leafName(name)))
  const own = namesAnother
    ? []
    : leaves.flatMap((leaf) => {
        const name =
          SIGN_IN.test(leafName(leaf.name)) && typeof leaf.value === 'string' ? signInName(asker, leaf.name) : null
        return name === null ? [] : [{ point: { place: 'json' as const, ...leaf }, value: name }]
      })
  if (own.length === 0) return given
  const changed = changeJson(tree, own)
  const fixed = [...(given.fixed ?? []), ...own.map(({ point: { name } }) => name)]
  if (body.type === 'json') return { ...given, body: { ...body, value: changed }, fixed }
  return isObject(changed) ? { ...given, body: { ...body, variables: changed }, fixed } : given
}

/** The login's e-mail address or user name, whichever a field of this name takes; null if the login does not have it. */
function signInName({ name, isNameMadeUp, login }: Identity, field: string): string | null {
  const said =
    login?.type === 'FORM' ? [login.username] : login?.type === 'TOKEN' ? textsIn(String(login.request.body ?? '')) : []
  const isMail = /mail/i.test(field)
  const found = said.find((one) => one.includes('@') === isMail && (isMail || login?.type === 'FORM' || one === name))
  return found ?? (isMail === name.includes('@') && !isNameMadeUp ? name : null)
}

/** The texts in a body: of JSON, of a form, or of a GraphQL document within it. */
const textsIn = (body: string): string[] => {
  const json = readJson(body)
  const whole =
    json === undefined ? [...new URLSearchParams(body).values()] : leavesOf(json).map(({ value }) => String(value))
  return whole
    .flatMap((one) => [one, ...[...one.matchAll(/"([^"\\\s]{1,200})"/g)].map(([, text = '']) => text)])
    .filter((one) => /^\S{1,200}$/.test(one))
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

/** The content of a response, without members that only wrap it. */
export function innermost(json: Json | undefined): Json | undefined {
  if (!isObject(json)) return undefined
  const wrapped = Object.entries(json).find(([name, one]) => WRAPPER.test(name) && isObject(one))
  const inner = Object.values(json)
  const [only] = inner
  return wrapped?.[1] ?? (inner.length === 1 && isObject(only) ? only : json)
}

const WRAPPER = /^(data|result|item|payload)$/i
