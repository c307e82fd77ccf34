// Checks for mass assignment: fields that a client must not set are sent along with a normal request, and read back.

import type { Context, Sighting, TargetCheck } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Change, Exchange, Json, Operation, Point } from '../types.ts'
import { leafName, plainName, resourceOf } from '../values.ts'
import { freshTexts, isLabel } from './fresh-texts.ts'
import { isFine } from './ownership.ts'
import { candidatesAmong, nameBeside, PRIVILEGED, valuesFor } from './settable.ts'
import { probeAnswered } from './updated-fields.ts'

const MOST_READERS = 8
const MOST_OPERATIONS = 60

/** The created object as read back: by `reader`, or from the operation's own answer. */
type Made = { exchange: Exchange; object: { readonly [name: string]: Json }; reader: Operation | null }

export const massAssignment: TargetCheck = {
  kind: 'target',
  // It changes roles and balances: what others rely on must have been looked at before.
  isLast: true,
  id: 'mass-assignment',
  title: 'Mass assignment',
  cwes: [915],
  severity: 'HIGH',
  solution: 'Accept only an explicit list of fields for each operation.',
  profile: 'DEEP',
  async *probe(context) {
    const writing = context.operations.filter(
      (operation) =>
        (operation.kind === 'create' || operation.kind === 'update') &&
        placesOf(operation).length > 0 &&
        mayNameAccounts(operation, context),
    )
    for (const operation of writing.slice(0, MOST_OPERATIONS)) {
      const sighting = await probeOperation(operation, context)
      if (sighting !== null) yield sighting
    }
  },
}

const ID = /^(id|uuid|guid|pk)$/

/** Where the operation takes its fields: in the body, or in the query if it has none. */
const placesOf = ({ body }: Operation): readonly Point['place'][] =>
  body === null ? ['query'] : body.type === 'json' || body.type === 'form' ? [body.type] : []

async function probeOperation(operation: Operation, context: Context): Promise<Sighting | null> {
  const points = context.pointsOf(operation).filter(({ place }) => placesOf(operation).includes(place))
  // the server may give ids itself, whatever it is sent
  const label = points.find((point) => isLabel(point) && !ID.test(leafName(point.name))) ?? points.find(isLabel)
  if (label === undefined) return operation.kind === 'update' ? await probeAnswered(operation, points, context) : null
  const place = label.place

  const plain = await write(operation, freshTexts(points, label, context), context, [])
  const sent = new Set(points.map(({ name }) => leafName(name)))
  const echo = context.word()
  const strange: Change = { point: { place, name: echo, value: '' }, value: echo }
  const fields = plain.flatMap(({ reader, object }) =>
    Object.entries(object).map(([name, before]) => ({ name, before, reader })),
  )
  const candidates = candidatesAmong(fields, operation, label.name, sent)
  // A target that refuses fields it does not know is sent those alone that it may know.
  const beside =
    candidates.length > 0 && (await write(operation, freshTexts(points, label, context), context, [strange])).length > 0
      ? [strange]
      : []
  for (const { name, before, reader } of candidates) {
    const at = nameBeside(label.name, name)
    const { inTurn, refused } = valuesFor(name, before, context)
    for (const value of inTurn) {
      const extra: Change[] = [{ point: { place, name: at, value: before }, value }, ...beside]
      const [made] = await write(operation, freshTexts(points, label, context), context, extra, { reader, refused })
      if (made === undefined || made.object[name] === before) continue
      const isEchoed = Object.hasOwn(made.object, echo)
      const isRight = PRIVILEGED.test(plainName(name))
      const isKept = isEchoed && isRight && (await isReadBack(operation, name, value, context))
      if (operation.kind === 'update') {
        await context.attempt(operation, [{ point: { place, name: at, value }, value: before }])
      }
      if (made.object[name] !== value) continue
      // An operation that answers with whatever it was sent has set nothing, unless it is a right that is there afterwards.
      if (isEchoed && !isKept) return null
      return {
        detail: `${name} was added to the request: it was ${JSON.stringify(before)} before, and is read back as ${JSON.stringify(value)}.`,
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

/**
 * Sends the request, and finds what it made or changed: in its own answer, and in what reads (`reader`: there alone, null: in
 * the answer alone).
 */
async function write(
  operation: Operation,
  { changes, word }: { changes: Change[]; word: string },
  context: Context,
  extra: Change[],
  { reader, refused }: { reader?: Operation | null; refused?: (text: string) => void } = {},
): Promise<Made[]> {
  const exchange = await context.attempt(operation, [...changes, ...extra])
  const text = exchange?.text ?? ''
  if (!isFine(exchange)) {
    refused?.(text)
    return []
  }
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

/** Whether a read of the address that was updated has the value: what stores documents as they come answers with all of them. */
async function isReadBack(operation: Operation, name: string, value: Json, context: Context): Promise<boolean> {
  const { url } = context.requestOf(operation)
  const reading = context.operations.find((one) => one.method === 'GET' && context.requestOf(one).url === url)
  const read = reading && operation.kind === 'update' ? await context.attempt(reading) : null
  const json = isFine(read) ? readJson(read.text) : undefined
  return isObject(json) && json[name] === value
}

function nearness(reader: Operation, operation: Operation, about: string): number {
  const [mine, theirs] = [operation.path.split('/'), reader.path.split('/')]
  let shared = 0
  while (shared < mine.length && mine[shared] === theirs[shared]) shared += 1
  return shared + (resourceOf(reader) === about ? 5 : 0)
}

/** The innermost object that contains the word. */
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
