// Checks whether a user can create something in another's name, through a field for the owner that the server should fill in.

import type { Context, OperationCheck, Sighting } from '../check.ts'
import { isObject, leavesOf, readJson } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Body, Change, Exchange, Identity, Json, Operation, Point } from '../types.ts'
import { leafName, plainName, resourceOf } from '../values.ts'
import { isAdministrative } from './administrative.ts'
import { isLabel } from './fresh-texts.ts'
import { hasWord } from './object-change.ts'
import { isOrdinary } from './ordinary.ts'
import { hasErrors, holdingsOf, isFine, isReference, namesOf } from './ownership.ts'
import { claimsOf, tokensIn } from './tokens.ts'

/** Fields that name the creator; recipients and assignees are the creator's to choose. */
const MAKER =
  /^(user|owner|author|creator|customer|client|member|account|sender|buyer|poster|reviewer|patient|borrower)(id|uuid|name|email|username)?$|^(created|posted|ordered|submitted|owned|requested)by(id|user|userid)?$|^(from|sender|payer|own)(user|account)(id|number|name)?$|^uid$/
/** Things that people assign or send to each other. */
const GIVEN =
  /task|to-?do|assign|ticket|issue|message|notif|invit|share|gift|shift|duty|appointment|member|team|role|permission|grant/i
const MOST_FIELDS = 3
const MOST_READERS = 4
/** A number of few digits stands in many answers, and one that is too large is more than somebody has. */
const NUMBER_DIGITS = 5

type Field = { point: Point; mine: Json; theirs: Json; isDescribed: boolean }

export const madeForOthers: OperationCheck = {
  kind: 'operation',
  id: 'made-for-others',
  title: 'Object created in another user’s name',
  cwes: [639],
  severity: 'HIGH',
  solution: 'Take the owner of a new object from the session, never from the request.',
  profile: 'DEEP',
  accepts: (operation, context) =>
    operation.kind === 'create' &&
    placeOf(operation.body) !== null &&
    !isAdministrative(operation) &&
    !GIVEN.test(operation.key) &&
    mayNameAccounts(operation, context),
  async *probe(operation, context) {
    const [maker, other] = context.identities
    if (maker === undefined || other === undefined || !isOrdinary(maker, context)) return
    const first = context.seen(operation, maker)
    if (!isFine(first) || hasErrors(first)) return
    const label = labelOf(operation, context)
    for (const field of await fieldsOf(operation, maker, other, context)) {
      const sighting = await makeInOthersName(operation, { field, label, maker, other }, context)
      if (sighting === null) continue
      yield sighting
      return
    }
  },
}

const placeOf = (body: Body | null): 'json' | 'form' | 'variable' | null =>
  body?.type === 'json' || body?.type === 'form' ? body.type : body?.type === 'graphql' ? 'variable' : null

/** The field by which a new object is recognised: a text, or else a number. */
function labelOf(operation: Operation, context: Context): Point | undefined {
  const points = context.pointsOf(operation).filter(({ place }) => place === placeOf(operation.body))
  const free = points.filter((point) => !isReference(point) && !MAKER.test(leafName(point.name)))
  return (
    free.find(isLabel) ?? free.find(({ value, schema }) => typeof value === 'number' && schema?.maximum === undefined)
  )
}

async function fieldsOf(operation: Operation, maker: Identity, other: Identity, context: Context): Promise<Field[]> {
  const place = placeOf(operation.body)
  if (place === null) return []
  const described = context
    .pointsOf(operation)
    .filter((point) => point.place === place && MAKER.test(leafName(point.name)) && typeof point.value !== 'object')
  const known = new Set(described.map(({ name }) => leafName(name)))
  const others = place === 'variable' ? [] : await hiddenIn(operation, maker, context)
  const hidden = others.filter(({ name }) => !known.has(plainName(name)))
  const points: Point[] = [...described, ...hidden.map(({ name, value }) => ({ place, name, value }))]
  const fields: Field[] = []
  for (const point of points.slice(0, MOST_FIELDS)) {
    const [mine, theirs] = [await nameFor(point, maker, context), await nameFor(point, other, context)]
    const isDescribed = described.includes(point)
    if (mine !== null && theirs !== null && mine !== theirs) fields.push({ point, mine, theirs, isDescribed })
  }
  return fields
}

/** Fields of such names that the list at the same address answers with by now, and the request is not described with. */
async function hiddenIn(
  { path, origin }: Operation,
  maker: Identity,
  context: Context,
): Promise<{ name: string; value: Json }[]> {
  const list = context.operations.find((one) => one.method === 'GET' && one.path === path && one.origin === origin)
  const exchange = list && (await context.attempt(list, [], { identity: maker }))
  const json = isFine(exchange) ? readJson(exchange.text) : undefined
  return (json === undefined ? [] : leavesOf(json))
    .map(({ name, value }) => ({ name: name.split('.').at(-1) ?? name, value }))
    .filter(
      ({ name }, index, all) => MAKER.test(plainName(name)) && all.findIndex((one) => one.name === name) === index,
    )
}

/** The value that identifies a person in such a field: an id, an e-mail address or a name. */
async function nameFor({ name, value }: Point, identity: Identity, context: Context): Promise<Json> {
  const { accounts, marks } = await holdingsOf(context, identity)
  const ids = [...accounts].flatMap((one) => /^user (.{1,60})$/.exec(one)?.[1] ?? [])
  const known = context.operations.map((operation) => context.seen(operation, identity)).find(Boolean)
  const claimed = known ? tokensIn(known.request).flatMap(({ text }) => idsIn(text)) : []
  const plain = leafName(name)
  if (/mail$/.test(plain)) return [...marks].find((mark) => mark.includes('@')) ?? null
  if (/name$/.test(plain)) return namesOf(identity)[0] ?? null
  const id = [...ids, ...claimed].find((one) => typeof value !== 'number' || /^\d{1,15}$/.test(one))
  if (id !== undefined) return typeof value === 'number' ? Number(id) : id
  return typeof value === 'string' && !/(id|uuid)$/.test(plain) ? (namesOf(identity)[0] ?? null) : null
}

const idsIn = (token: string): string[] =>
  Object.entries(claimsOf(token) ?? {}).flatMap(([name, value]) =>
    /^(sub|id|uid|userid|user_id|userId)$/.test(name) && (typeof value === 'number' || typeof value === 'string')
      ? [String(value)]
      : [],
  )

type Trial = { field: Field; label: Point | undefined; maker: Identity; other: Identity }

async function makeInOthersName(operation: Operation, trial: Trial, context: Context): Promise<Sighting | null> {
  const { field, maker, other } = trial
  const plain = field.isDescribed ? without(operation, field.point.name) : operation
  // what nobody said who makes it is the maker's
  const own = plain && (await make(plain, null, trial, context))
  const filled = own && makerIn(own.exchange, field.point.name)
  const isFilled = filled !== null && String(filled) === String(field.mine)
  const said = own ?? (await make(operation, field.mine, trial, context))
  if (said === null) return null
  const reader = await readerOf(operation, said.word, trial, context)
  if (reader === null && !isFilled) return null
  let last: Made | null = null
  for (let round = 0; round < 2; round += 1) {
    last = await make(operation, field.theirs, trial, context)
    if (last === null) return null
    const isTheirs = reader
      ? (await isShown(reader, last.word, other, context)) && !(await isShown(reader, last.word, maker, context))
      : String(makerIn(last.exchange, field.point.name)) === String(field.theirs)
    if (!isTheirs) return null
  }
  if (last === null) return null
  const shown = reader ? `${other.name} finds it among their own, and ${maker.name} does not` : 'the response says so'
  return {
    detail: `${maker.name} sent the ${field.point.name} of ${other.name}, and the new object belongs to ${other.name}: ${shown}. Without it, it belongs to ${maker.name}.`,
    proof: [String(field.theirs)],
    exchange: last.exchange,
    operation,
    point: field.point,
  }
}

/** A little above one if decimals are allowed. */
const numberFor = ({ schema, value }: Point, { number }: Context): number =>
  schema?.type === 'number' || !Number.isInteger(value)
    ? 1 + number(NUMBER_DIGITS) / 10 ** (NUMBER_DIGITS + 1)
    : number(NUMBER_DIGITS)

type Made = { exchange: Exchange; word: string | number }

async function make(
  operation: Operation,
  value: Json,
  { field: { point }, label, maker }: Trial,
  context: Context,
): Promise<Made | null> {
  const word = label && typeof label.value === 'number' ? numberFor(label, context) : context.word()
  const text = label && typeof label.value === 'string' && label.value.includes('@') ? `${word}@example.com` : word
  const changes: Change[] = [
    ...(label ? [{ point: label, value: text }] : []),
    ...(value === null ? [] : [{ point, value }]),
  ]
  const exchange = await context.attempt(operation, changes, { identity: maker, isAlone: true })
  return isFine(exchange) && !hasErrors(exchange) ? { exchange, word } : null
}

/** A list that shows the new object to its creator and not to the other identity. */
async function readerOf(
  operation: Operation,
  word: string | number,
  { label, maker, other }: Trial,
  context: Context,
): Promise<Operation | null> {
  if (label === undefined) return null
  const about = resourceOf(operation)
  const readers = context.operations.filter(
    (one) =>
      one.kind === 'read' &&
      !one.path.includes('{') &&
      !isAdministrative(one) &&
      !context.pointsOf(one).some((point) => isReference(point)) &&
      (one.path === operation.path || resourceOf(one) === about),
  )
  for (const reader of readers.slice(0, MOST_READERS)) {
    if (!(await isShown(reader, word, maker, context))) continue
    return (await isShown(reader, word, other, context)) ? null : reader
  }
  return null
}

async function isShown(
  reader: Operation,
  word: string | number,
  identity: Identity,
  context: Context,
): Promise<boolean> {
  const exchange = await context.attempt(reader, [], { identity })
  return isFine(exchange) && hasWord(exchange.text, word)
}

/** The value that an answer has under the field's name. */
function makerIn({ text }: Exchange, name: string): Json {
  const json = readJson(text)
  const plain = leafName(name)
  return (json === undefined ? [] : leavesOf(json)).find((leaf) => leafName(leaf.name) === plain)?.value ?? null
}

/** The operation without a top-level member of its body; null for a nested member. */
function without(operation: Operation, name: string): Operation | null {
  const { body } = operation
  if (body?.type === 'form')
    return { ...operation, body: { ...body, fields: body.fields.filter((one) => one.name !== name) } }
  if (body?.type !== 'json' || !isObject(body.value) || name.includes('.')) return null
  return {
    ...operation,
    body: { ...body, value: Object.fromEntries(Object.entries(body.value).filter(([one]) => one !== name)) },
  }
}
