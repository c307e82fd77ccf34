// Checks for broken object level authorisation: one user's object is changed by another, and read back by its owner.

import type { Context, OperationCheck, Sighting } from '../check.ts'
import { readJson } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Change, Exchange, Identity, Operation, Point } from '../types.ts'
import { leafName } from '../values.ts'
import { namedAlike, namedInPath, withOwnBelow } from './nested.ts'
import {
  asTaken,
  collect,
  hasErrors,
  isFine,
  isReference,
  type Known,
  ownReferences,
  type Reference,
} from './ownership.ts'
import { type Pair, pairsOf } from './pairs.ts'

/** How many values of one reference are tried. */
const MOST_CANDIDATES = 3

export const objectChanging: OperationCheck = {
  kind: 'operation',
  id: 'object-change',
  title: 'Change of another user’s object (IDOR)',
  cwes: [639],
  severity: 'HIGH',
  solution: 'Change only rows that the caller owns; otherwise answer as if there were none.',
  profile: 'DEEP',
  accepts: (operation, context) =>
    (operation.kind === 'update' || isAdding(operation)) && mayNameAccounts(operation, context),
  async *probe(operation, context) {
    const points = context.pointsOf(operation)
    const reference = points.find((candidate) => isReference(candidate))
    const field = fieldOf(points.filter((one) => one !== reference && placesOf(operation).includes(one.place)))
    if (reference === undefined || field === undefined) return
    const [pair] = await pairsOf(context)
    if (pair === undefined) return
    const sighting = await changeAsStranger(operation, reference, field, pair, context)
    if (sighting !== null) yield sighting
  },
}

/** Things that people may rightfully leave with others, such as messages. */
const GIVEN =
  /message|comment|review|rating|repl(y|ies)|answer|question|feedback|reaction|attend|participa|applica|(^|[^a-z])(bids?|offers?)(?![a-z])|post|follow|friend|like|vote|invit|gift|transfer|payment|donat|report|note|mail|share|request|subscri|notif/i

/** Whether the operation creates something below the object in its path, such as an address of an account. */
const isAdding = ({ kind, path }: Operation): boolean => kind === 'create' && path.includes('{') && !GIVEN.test(path)

/** Operations without a body take their changes in the query. */
const placesOf = ({ body }: Operation): readonly Point['place'][] =>
  body === null ? ['query'] : ['json', 'form', 'variable']

const isFreeText = ({ value, schema, name }: Point): boolean =>
  typeof value === 'string' &&
  !schema?.enum &&
  !schema?.format &&
  !/(password|email|mail|date|url|id|token|phone)$/i.test(name)

/** What is changed: a text, for want of one a number, and at last a word that may shut its owner out until it is put back. */
function fieldOf(points: readonly Point[]): Point | undefined {
  const texts = points.filter(isFreeText)
  return texts.find(({ name }) => !WORD_OF_MEANING.test(name)) ?? points.find(isFreeNumber) ?? texts[0]
}

/** Short numbers occur in many answers by chance. */
const NUMBER_DIGITS = 5

const isFreeNumber = ({ value, name, schema }: Point): boolean =>
  typeof value === 'number' &&
  !schema?.enum &&
  (schema?.maximum ?? Number.POSITIVE_INFINITY) >= 10 ** NUMBER_DIGITS &&
  !/id$/i.test(name)

const WORD_OF_MEANING = /role|status|state|type/i

async function changeAsStranger(
  given: Operation,
  reference: Point,
  field: Point,
  { owner, stranger, own, others }: Pair,
  context: Context,
): Promise<Sighting | null> {
  // an account is its owner's although lists for everybody have its name
  const isTheirs = ({ value, isOwn }: Reference) =>
    isOwn || (given.kind === 'update' && !GIVEN.test(given.path) && own.marks.has(value.toLowerCase()))
  const candidates = ownReferences(reference, given, own, others).filter(isTheirs)
  for (const { value } of candidates.slice(0, MOST_CANDIDATES)) {
    const operation = await withOwnBelow(given, reference, value, owner, context)
    const fresh = (): string | number =>
      typeof field.value === 'number' ? context.number(NUMBER_DIGITS) : context.word()
    const changed = (word: string | number): Change[] => [
      { point: reference, value: asTaken(reference, value) },
      { point: field, value: word },
    ]
    const before = await readOwn(operation, reference, value, owner, '', context)
    const putBack = async () => {
      const kept =
        before === null ? undefined : leafOf(before.exchange.text, field, namedInPath(operation).at(-1) ?? value)
      const former = typeof field.value === 'number' ? Number(kept) : kept
      if (former !== undefined && !Number.isNaN(former))
        await context.attempt(operation, changed(former), { identity: owner })
    }
    const nobodysWord = fresh()
    const nobodys = await context.attempt(operation, changed(nobodysWord), { identity: null })
    if (nobodys === null) continue
    if (isFine(nobodys) && !hasErrors(nobodys)) {
      if (isAdding(operation)) continue
      const kept = await readOwn(operation, reference, value, owner, nobodysWord, context)
      await putBack()
      if (kept === null) continue
      return {
        cwes: [306, 639],
        detail: `A request without credentials changed ${field.name} of an object of ${owner.name}, who reads it back.`,
        proof: [String(nobodysWord)],
        exchange: kept.exchange,
        operation,
        point: reference,
      }
    }
    const word = fresh()
    let after: Reading | null = null
    for (const beside of [NOTHING, insisting(operation, context)]) {
      if (after !== null || (beside !== NOTHING && beside.length === 0)) continue
      const theirs = await context.attempt(operation, [...changed(word), ...beside], { identity: stranger })
      if (isFine(theirs) && !hasErrors(theirs)) after = await readOwn(operation, reference, value, owner, word, context)
    }
    if (after === null) continue
    if (isAdding(operation)) {
      // what everybody may leave with somebody is not all read by whoever left something
      if (!(await isReadBy(stranger, after, word, context)) || (await isReadBy(null, after, word, context))) continue
    } else await putBack()
    return {
      detail: `${stranger.name} ${isAdding(operation) ? 'added to' : `changed ${field.name} of`} an object of ${owner.name}, who reads it back.`,
      proof: [String(word)],
      exchange: after.exchange,
      operation,
      point: reference,
    }
  }
  return null
}

/** The text of a field in the object that has the id, or in the only object of that kind, as it was read. */
function leafOf(text: string, field: Point, id: string): string | undefined {
  const json = readJson(text)
  const leaves: Known[] = []
  if (json !== undefined) collect(json, '', leaves)
  const plain = leafName(field.name)
  const fields = leaves.filter(({ name }) => name === plain)
  const [only, another] = fields.length === 1 ? fields : fields.filter(({ beside }) => beside.has(id.toLowerCase()))
  return another === undefined ? only?.value : undefined
}

/** Numbers match only as whole values. */
export const hasWord = (text: string, word: string | number): boolean =>
  typeof word === 'string' ? text.includes(word) : new RegExp(`(?<![\\w.-])${word}(?![\\w.-])`).test(text)

const NOTHING: readonly Change[] = []

/** Described parameters that force the operation. */
const insisting = (operation: Operation, context: Context): readonly Change[] =>
  context
    .pointsOf(operation)
    .filter(({ place, name, schema }) => place === 'query' && !schema?.enum && INSISTS.test(name))
    .map((point) => ({ point, value: 'true' }))

const INSISTS =
  /^(force|forced|override|bypass|skip[-_]?(check|auth|validation)s?|is[-_]?admin|admin([-_]?(override|mode|access))?)$/i

type Reading = { exchange: Exchange; reader: Operation; changes: readonly Change[] }

async function isReadBy(
  identity: Identity | null,
  { reader, changes }: Reading,
  word: string | number,
  context: Context,
): Promise<boolean> {
  const exchange = await context.attempt(reader, changes, { identity })
  return isFine(exchange) && hasWord(exchange.text, word)
}

/** The owner's answer, for the object or a list, that contains the word. */
async function readOwn(
  operation: Operation,
  reference: Point,
  value: string,
  owner: Identity,
  word: string | number,
  context: Context,
): Promise<Reading | null> {
  const stem = operation.path.split('{')[0] ?? ''
  const near = context.operations.filter(
    (other) => other.kind === 'read' && stem.length > 1 && other.path.startsWith(stem.replace(/\/$/, '')),
  )
  const changesOf = (other: Operation): Change[] => {
    const point = context
      .pointsOf(other)
      .find(({ place, name }) => place === reference.place && name === reference.name)
    const alike = namedAlike(operation, other, context)
    return point && point.place !== 'path' ? [...alike, { point, value: asTaken(point, value) }] : alike
  }
  near.sort((one, other) => changesOf(other).length - changesOf(one).length)
  for (const other of near.slice(0, 4)) {
    const changes = changesOf(other)
    const exchange = await context.attempt(other, changes, { identity: owner })
    if (isFine(exchange) && hasWord(exchange.text, word)) return { exchange, reader: other, changes }
  }
  return null
}
