// Fields that a client must not set, sent along with a normal request and read back.

import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Change, Context, Exchange, Json, Operation, Point, Schema, Sighting, TargetCheck } from '../types.ts'
import { plainName, resourceOf } from '../values.ts'
import { isFine } from './ownership.ts'
import { otherRoles } from './roles.ts'

const MOST_FIELDS = 6
const MOST_READERS = 8
const MOST_OPERATIONS = 60

export const PRIVILEGED =
  /^(is)?(admin|administrator|superuser|staff|root|moderator|verified|emailverified|active|approved|premium|paid)$|^(user)?(role|roles|rolename|permissions?|privileges?|usertype|accounttype|group|groups|level|tier|plan|scopes?)$|balance|credit|discount|price|total|amount|quota|^(owner|ownerid|userid|customerid|tenantid|companyid|organi[sz]ationid)$/

/** Set by the server for itself, and harmless where a client can set it too. */
const MINOR =
  /^(id|uuid|guid|pk|created|updated|createdat|updatedat|createdon|updatedon|timestamp|date|time|url|href|link|links|slug|version|etag|token|message|success|count)$/

/** What was made, as it was read: by `reader`, or in the answer of the operation itself. */
type Made = { exchange: Exchange; object: { readonly [name: string]: Json }; reader: Operation | null }

export const massAssignment: TargetCheck = {
  kind: 'target',
  // It changes roles and balances: what others rely on must have been looked at before.
  isLast: true,
  id: 'mass-assignment',
  title: 'A client sets what it should not',
  cwes: [915],
  severity: 'HIGH',
  solution: 'Take from a request only the fields of a list that was written for the operation.',
  profile: 'DEEP',
  async *probe(context) {
    const writing = context.operations.filter(
      ({ kind, body }) => (kind === 'create' || kind === 'update') && (body?.type === 'json' || body?.type === 'form'),
    )
    for (const operation of writing.slice(0, MOST_OPERATIONS)) {
      const sighting = await probeOperation(operation, context)
      if (sighting !== null) yield sighting
    }
  },
}

async function probeOperation(operation: Operation, context: Context): Promise<Sighting | null> {
  const points = context.pointsOf(operation).filter(({ place }) => place === 'json' || place === 'form')
  const label = points.find(isLabel)
  if (label === undefined) return null
  const place = label.place

  const plain = await write(operation, freshTexts(points, label, context), context, [])
  const sent = new Set(points.map(({ name }) => plainName(name.split('.').at(-1) ?? '')))
  const echo = context.word()
  const strange: Change = { point: { place, name: echo, value: '' }, value: echo }
  const candidates = plain
    .flatMap(({ reader, object }) => Object.entries(object).map(([name, before]) => ({ name, before, reader })))
    .filter(
      ({ name, before }) =>
        !sent.has(plainName(name)) &&
        isSettable(operation, label.name, name) &&
        typeof before !== 'object' &&
        !MINOR.test(plainName(name)),
    )
    .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index)
    .sort((one, other) => rank(one.name) - rank(other.name))
    .slice(0, MOST_FIELDS)
  // A target that refuses fields it does not know is sent those alone that it may know.
  const beside =
    candidates.length > 0 && (await write(operation, freshTexts(points, label, context), context, [strange])).length > 0
      ? [strange]
      : []
  for (const { name, before, reader } of candidates) {
    const at = label.name.includes('.') ? `${label.name.slice(0, label.name.lastIndexOf('.'))}.${name}` : name
    for (const value of othersFor(name, before, context)) {
      const extra: Change[] = [{ point: { place, name: at, value: before }, value }, ...beside]
      const [made] = await write(operation, freshTexts(points, label, context), context, extra, reader)
      if (made === undefined || made.object[name] !== value || made.object[name] === before) continue
      // An operation that answers with whatever it was sent has set nothing.
      if (Object.hasOwn(made.object, echo)) return null
      if (operation.kind === 'update') {
        await context.attempt(operation, [{ point: { place, name: at, value }, value: before }])
      }
      return {
        detail: `${name} was sent along, was ${JSON.stringify(before)} before, and is read back as ${JSON.stringify(value)}.`,
        proof: [`"${name}"`, String(value)],
        exchange: made.exchange,
        operation,
        point: { place, name: at, value: before },
        severity: PRIVILEGED.test(plainName(name)) ? 'HIGH' : 'MEDIUM',
      }
    }
  }
  return null
}

const rank = (name: string): number => (PRIVILEGED.test(plainName(name)) ? 0 : 1)

/** A described request that has the field means it to be set; one without a description is judged by the field's name. */
function isSettable({ body, source }: Operation, beside: string, name: string): boolean {
  const way = beside.split('.').slice(0, -1)
  const object = way.reduce<Schema | undefined>(
    (schema, member) => schema?.properties?.[member] ?? schema?.items,
    body?.type === 'json' ? body.schema : undefined,
  )
  const described = object?.properties
  if (described !== undefined) return !Object.hasOwn(described, name)
  return source === 'openapi' || PRIVILEGED.test(plainName(name))
}

const isLabel = ({ value, name, schema }: Point): boolean =>
  typeof value === 'string' &&
  !schema?.enum &&
  /^[\w .@-]*$/.test(value) &&
  !/(password|passwd|token|captcha|date|phone|url|csrf)/i.test(name) &&
  (schema?.format === undefined || schema.format === 'email')

/** Texts of a request made new, so that what it makes is told from all else; addresses stay addresses. */
export function freshTexts(
  points: readonly Point[],
  label: Point,
  context: Context,
): { changes: Change[]; word: string } {
  const word = context.word()
  const changes = points.flatMap((point): Change[] => {
    if (point.name === label.name) return [{ point, value: isAddress(point) ? `${word}@example.com` : word }]
    if (isAddress(point)) return [{ point, value: `${context.word()}@example.com` }]
    return isLabel(point) && /user|name|login|email/i.test(point.name) ? [{ point, value: context.word() }] : []
  })
  return { changes, word }
}

const isAddress = ({ value, schema, name }: Point): boolean =>
  schema?.format === 'email' ||
  /e?mail$/i.test(name) ||
  (typeof value === 'string' && /^\S{1,100}@\S{1,100}$/.test(value))

/** Other values of the same kind; for a role several, since a target may know only roles of its own. */
function othersFor(name: string, before: Json, context: Context): Json[] {
  if (typeof before === 'boolean') return [!before]
  if (typeof before === 'number') return [before + context.number(3)]
  if (typeof before === 'string' && before !== '' && Number.isFinite(Number(before)))
    return [String(Number(before) + context.number(3))]
  if (typeof before === 'string')
    return /role|type|group|level|tier|plan/i.test(name) ? otherRoles(before) : [context.word()]
  return before === null && PRIVILEGED.test(plainName(name)) ? [true] : []
}

/**
 * Sends the request, and finds what it made or changed: in its own answer, and in what reads (`reader`: there alone, null: in
 * the answer alone).
 */
async function write(
  operation: Operation,
  { changes, word }: { changes: Change[]; word: string },
  context: Context,
  extra: Change[],
  reader?: Operation | null,
): Promise<Made[]> {
  const exchange = await context.attempt(operation, [...changes, ...extra])
  if (!isFine(exchange)) return []
  const answered = reader ? null : objectWith(readJson(exchange.text), word)
  const found: Made[] = answered === null ? [] : [{ exchange, object: answered, reader: null }]
  if (reader === null) return found
  const about = resourceOf(operation)
  const readers = context.operations
    .filter(({ kind, path, body }) => kind === 'read' && !path.includes('{') && body === null)
    .sort((one, other) => nearness(other, operation, about) - nearness(one, operation, about))
  // A list for everybody may leave out what a list for others has.
  for (const each of reader ? [reader] : readers.slice(0, MOST_READERS)) {
    const read = await context.attempt(each)
    const object = isFine(read) ? objectWith(readJson(read.text), word) : null
    if (read !== null && object !== null) found.push({ exchange: read, object, reader: each })
  }
  return found
}

function nearness(reader: Operation, operation: Operation, about: string): number {
  const [mine, theirs] = [operation.path.split('/'), reader.path.split('/')]
  let shared = 0
  while (shared < mine.length && mine[shared] === theirs[shared]) shared += 1
  return shared + (resourceOf(reader) === about ? 5 : 0)
}

/** The innermost object with a leaf that has the word. */
function objectWith(json: Json | undefined, word: string, depth = 0): Made['object'] | null {
  if (json === undefined || depth > 10) return null
  if (isList(json)) {
    for (const one of json) {
      const found = objectWith(one, word, depth + 1)
      if (found !== null) return found
    }
    return null
  }
  if (!isObject(json)) return null
  if (Object.values(json).some((value) => typeof value === 'string' && value.includes(word) && value.length < 400))
    return json
  for (const value of Object.values(json)) {
    const found = objectWith(value, word, depth + 1)
    if (found !== null) return found
  }
  return null
}
