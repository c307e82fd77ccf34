// Sends everything once with normal values: reads, then creates, then updates, each using values from earlier responses.

import type { Context } from './check.ts'
import { withCurrentValues } from './current-values.ts'
import { answered } from './first-answers.ts'
import { changeJson, isObject, leavesOf } from './json-leaves.ts'
import { askedAsOwn, ownIdTold } from './own-things.ts'
import { isRefused } from './repaired.ts'
import { mayNameAccounts } from './resets.ts'
import type { Seen } from './seen.ts'
import { isTurnedAway, type Session } from './session.ts'
import type { Body, Operation, OperationKind, Parameter } from './types.ts'
import { isMadeUpValue, resourceOf, type ValueBank } from './values.ts'

type Work = {
  operations: readonly Operation[]
  sessions: readonly Session[]
  main: Session
  context: Context
  bank: ValueBank
  seen: Seen
  /** called after each operation was sent */
  onAsked: () => void
}

const order: readonly OperationKind[] = ['read', 'create', 'update', 'delete']

/** Sends the operations, and returns them with values learnt from the responses, in the order in which they are scanned. */
export async function firstPass({
  operations,
  main,
  sessions,
  context,
  bank,
  seen,
  onAsked,
}: Work): Promise<Operation[]> {
  const others = sessions.filter((session) => session !== main)
  const settled: Operation[] = []
  // do not request a new password for accounts that appear in responses
  const withKnown = (operation: Operation) =>
    mayNameAccounts(operation, context) ? withKnownValues(operation, bank) : operation
  // learn what the sign-in says about the account before sending anything
  if (main.opened) bank.learn('user', main.opened)
  const ownId = ownIdTold(main.opened)
  for (const kind of order) {
    const group = operations.filter((operation) => operation.kind === kind)
    // operations that take an id come after those that return it
    group.sort((a, b) => needs(a) - needs(b))
    for (const given of group) {
      const own = mayNameAccounts(given, context) ? withOwnToken(given, main) : given
      const known = withCurrentValues(withKnown(own), settled, main.identity, seen)
      const first = await answered(known, context)
      const { operation, exchange } = mayNameAccounts(given, context) ? await askedAsOwn(first, ownId, context) : first
      settled.push(operation)
      onAsked()
      if (!exchange) continue
      bank.learn(resourceOf(operation), exchange)
      seen.keep(operation, main.identity.name, exchange)
      if (kind === 'read' && others.length > 0) {
        for (const other of others) {
          const theirs = await context.attempt(operation, [], { identity: other.identity })
          if (theirs) seen.keep(operation, other.identity.name, theirs)
        }
      }
      if (kind === 'read' && sessions.some(needsCanary) && exchange.answer.status < 300) {
        const nobody = await context.attempt(operation, [], { identity: null })
        if (nobody) seen.keep(operation, null, nobody)
        for (const session of nobody && isTurnedAway(nobody) ? sessions.filter(needsCanary) : []) {
          const theirs = seen.find(operation, session.identity)
          if (theirs && theirs.answer.status < 300) session.canary = theirs
        }
      }
    }
  }
  // lists that were empty before the creates have items now
  const known = settled.map(withKnown)
  for (const [index, operation] of known.entries()) {
    const before = settled[index]
    if (before === undefined || operation.kind !== 'read' || !isNew(operation, before)) continue
    const earlier = seen.find(operation, main.identity)
    if (earlier && !isRefused(earlier, operation) && earlier.answer.status < 400) continue
    await askAgain(operation, sessions, context, seen)
  }
  return known
}

const isNew = (operation: Operation, before: Operation): boolean =>
  JSON.stringify([operation.parameters, operation.body]) !== JSON.stringify([before.parameters, before.body])

/** Reads something again that did not exist before the creates. */
async function askAgain(operation: Operation, sessions: readonly Session[], context: Context, seen: Seen) {
  for (const { identity } of sessions) {
    const exchange = await context.attempt(operation, [], { identity })
    if (exchange) seen.keep(operation, identity.name, exchange)
  }
}

/** Whether the session has credentials that were not seen to open anything yet. */
export const needsCanary = ({ identity: { login, headers, cookies, query }, canary }: Session) =>
  canary === null && (login !== undefined || headers.length + cookies.length + query.length > 0)

const needs = (operation: Operation) => operation.parameters.filter(({ place }) => place === 'path').length

/** The operation, with made-up values replaced by values from responses; examples of the description stay. */
function withKnownValues(operation: Operation, bank: ValueBank): Operation {
  const parameters = operation.parameters.map((parameter): Parameter => {
    if (parameter.place === 'header' || parameter.place === 'cookie' || !isMadeUp(parameter)) return parameter
    const value = bank.find(operation, parameter.name)
    return value === undefined ? parameter : { ...parameter, value }
  })
  return { ...operation, parameters, body: bodyWithKnownValues(operation, bank) }
}

const TOKEN = /^(access|auth|id|session|bearer|jwt)?[-_]?(token|jwt)$/i

/** The operation, with the sender's own token for values that take one and have no example. */
function withOwnToken(operation: Operation, { credentials }: Session): Operation {
  const token = /\beyJ[\w-]{8,8000}\.[\w-]{2,8000}\.[\w-]{0,2000}/.exec(
    Object.values(credentials().headers).join(' '),
  )?.[0]
  const { body } = operation
  if (token === undefined || body?.type !== 'graphql') return operation
  const named = Object.keys(body.variables).filter(
    (name) => TOKEN.test(name) && typeof body.variables[name] === 'string',
  )
  if (named.length === 0) return operation
  const own = Object.fromEntries(named.map((name) => [name, token]))
  return { ...operation, body: { ...body, variables: { ...body.variables, ...own } } }
}

/** The body, with known values for ids that have no example. */
function bodyWithKnownValues(operation: Operation, bank: ValueBank): Body | null {
  const { body } = operation
  if (body?.type !== 'json' && body?.type !== 'graphql') return body
  const [value, place] =
    body.type === 'json' ? ([body.value, 'json'] as const) : ([body.variables, 'variable'] as const)
  const changes = leavesOf(value, body.type === 'json' ? body.schema : undefined).flatMap((leaf) => {
    const name = leaf.name.split('.').at(-1) ?? ''
    const known = isId(name) && isMadeUpValue(leaf.schema) ? bank.find(operation, name) : undefined
    if (known === undefined || typeof leaf.value === 'object') return []
    const isNumber = typeof leaf.value === 'number'
    if (isNumber && !/^-?\d{1,15}$/.test(known)) return []
    return [{ point: { place, ...leaf }, value: isNumber ? Number(known) : known }]
  })
  if (changes.length === 0) return body
  const changed = changeJson(value, changes)
  if (body.type === 'json') return { ...body, value: changed }
  return isObject(changed) ? { ...body, variables: changed } : body
}

const isId = (name: string) => /id$|uuid|guid/i.test(name)
const isMadeUp = ({ schema, place, name }: Parameter) =>
  schema !== undefined &&
  schema.example === undefined &&
  schema.default === undefined &&
  schema.enum === undefined &&
  (place === 'path' || /id$|uuid|guid/i.test(name))
