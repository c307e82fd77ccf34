// Checks whether a user can obtain another role through an operation meant for administrators.

import type { Context, Sighting, TargetCheck } from '../check.ts'
import { isObject, readJson, valueAt } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Change, Exchange, Identity, Json, Operation, Point } from '../types.ts'
import { leafName, plainName, resourceOf } from '../values.ts'
import { isUser } from './guessing.ts'
import { isOrdinary } from './ordinary.ts'
import { hasErrors, holdingsOf, isAboutSelf, isFine, isReference, namesOf } from './ownership.ts'
import { otherRoles } from './roles.ts'

const ROLE = /^(user|member)?roles?(name)?$/
const FLAG = /^(is)?(admin|administrator|superuser|staff)$/
const MOST_OPERATIONS = 20
const MOST_SELVES = 3

/** The operation and leaf that show somebody's role. */
type Self = { reader: Operation; way: string; role: string | false; about: { readonly [name: string]: Json } }

export const ownRole: TargetCheck = {
  kind: 'target',
  // It changes a role: what others rely on must have been looked at before.
  isLast: true,
  id: 'own-role',
  title: 'Privilege escalation: self-assigned role',
  cwes: [269, 862],
  severity: 'CRITICAL',
  solution: 'Let only those change roles who may grant them, and check that before anything is changed.',
  profile: 'DEEP',
  async *probe(context) {
    const [identity] = context.identities
    if (identity === undefined || !isOrdinary(identity, context)) return
    const selves = selvesOf(identity, context, (await holdingsOf(context, identity)).accounts)
    if (selves.length === 0) return
    const giving = context.operations.filter(
      (operation) =>
        ['create', 'update'].includes(operation.kind) &&
        mayNameAccounts(operation, context) &&
        roleOf(operation, context) !== undefined,
    )
    for (const operation of giving.slice(0, MOST_OPERATIONS)) {
      for (const self of selves) {
        const sighting = await give(operation, identity, self, context)
        if (sighting === null) continue
        yield sighting
        break
      }
    }
  },
}

const roleOf = (operation: Operation, context: Context): Point | undefined =>
  context.pointsOf(operation).find((point) => isRole(leafName(point.name), point.value))

/** A role, or the flag of an administrator. */
const isRole = (name: string, value: Json): value is string | boolean =>
  typeof value === 'boolean' ? FLAG.test(name) : typeof value === 'string' && ROLE.test(name)

/** Answers about the identity itself that have its role: a target may know several kinds of role. */
function selvesOf(identity: Identity, context: Context, accounts: ReadonlySet<string>): Self[] {
  const selves: Self[] = []
  for (const reader of context.operations) {
    if (reader.kind !== 'read') continue
    const references = context.pointsOf(reader).filter((point) => isReference(point))
    // a user is asked for by the id that the sign-in told
    const isByOwnId = references.length === 1 && isOwnId(references[0], reader, accounts)
    if (references.length > 0 && !isByOwnId) continue
    const exchange = context.seen(reader, identity)
    const json = isFine(exchange) ? readJson(exchange.text) : undefined
    if (json === undefined || !(isByOwnId || isAboutSelf(reader, json))) continue
    const found = roleIn(json, '')
    if (found !== null && selves.length < MOST_SELVES) selves.push({ reader, ...found })
  }
  return selves
}

const isOwnId = (point: Point | undefined, reader: Operation, accounts: ReadonlySet<string>): boolean =>
  point !== undefined && resourceOf(reader, point.name) === 'user' && accounts.has(`user ${point.value}`)

function roleIn(json: Json, way: string): Omit<Self, 'reader'> | null {
  if (!isObject(json) || way.split('.').length > 4) return null
  for (const [name, value] of Object.entries(json)) {
    const at = way === '' ? name : `${way}.${name}`
    if (isRole(plainName(name), value) && value !== true && value !== '') return { way: at, role: value, about: json }
    const inner = roleIn(value, at)
    if (inner !== null) return inner
  }
  return null
}

/** The values by which the target refers to the identity. */
function naming(
  operation: Operation,
  role: Point,
  identity: Identity,
  { about }: Self,
  context: Context,
): Change[] | null {
  const changes: Change[] = []
  for (const point of context.pointsOf(operation)) {
    if (point === role || !(isUser(point) || isReference(point))) continue
    const own = Object.entries(about).find(([name]) => {
      const [mine, theirs] = [plainName(name), leafName(point.name)]
      return mine === theirs || (mine === 'id' && /^(user|member|account)id$/.test(theirs))
    })?.[1]
    const value = own ?? (isUser(point) ? namesOf(identity)[0] : undefined)
    if (value === undefined || (typeof value === 'object' && value !== null)) return null
    changes.push({ point, value: typeof point.value === 'number' ? value : String(value) })
  }
  return changes
}

async function give(operation: Operation, identity: Identity, self: Self, context: Context): Promise<Sighting | null> {
  const point = roleOf(operation, context)
  const named = point && naming(operation, point, identity, self, context)
  if (!point || !named || typeof point.value !== typeof self.role) return null
  const roleNow = async (): Promise<{ role: Json | undefined; exchange: Exchange } | null> => {
    const exchange = await context.attempt(self.reader, [], { identity })
    const json = isFine(exchange) ? readJson(exchange.text) : undefined
    return exchange && json !== undefined ? { role: valueAt(json, self.way), exchange } : null
  }
  for (const role of typeof self.role === 'string' ? otherRoles(self.role) : [true]) {
    const answer = await context.attempt(operation, [...named, { point, value: role }], { identity })
    if (!isFine(answer) || hasErrors(answer)) continue
    const now = await roleNow()
    if (now?.role !== role) continue
    await context.attempt(operation, [...named, { point, value: self.role }], { identity })
    return {
      detail: `${identity.name} had the ${point.name} ${self.role}, set ${role}, and reads back that this is what it is now.`,
      proof: [String(role)],
      exchange: now.exchange,
      operation,
      point,
    }
  }
  return null
}
