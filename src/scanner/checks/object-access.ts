// Broken object level authorisation: what is one user's alone is asked for, and changed, as another.

import { steadyText, textLikeness } from '../compare.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Change, Context, Exchange, Identity, Operation, OperationCheck, Point, Sighting } from '../types.ts'
import { leafName } from '../values.ts'
import { isLinkedFor } from './linked.ts'
import { isListedFor } from './listed.ts'
import {
  collect,
  type Holdings,
  holdingsOf,
  isFine,
  isReference,
  type Known,
  names,
  ownReferences,
  privateValues,
} from './ownership.ts'
import { readPageAsStranger } from './page-access.ts'

/** Values of one reference that are tried. */
const MOST_CANDIDATES = 4

type Pair = { owner: Identity; stranger: Identity; own: Holdings; others: readonly Holdings[] }

/** Each identity as owner against each other one, the first two of them; the others' holdings and the public's beside. */
async function pairsOf(context: Context): Promise<Pair[]> {
  const [first, second] = context.identities
  if (first === undefined || second === undefined) return []
  const [one, two, nobody] = [
    await holdingsOf(context, first),
    await holdingsOf(context, second),
    await holdingsOf(context, null),
  ]
  return [
    { owner: first, stranger: second, own: one, others: [two, nobody] },
    { owner: second, stranger: first, own: two, others: [one, nobody] },
  ]
}

const isSame = (one: Exchange, other: Exchange): boolean =>
  one.answer.status === other.answer.status && textLikeness(steadyText(one.text), steadyText(other.text)) > 0.9

export const objectReading: OperationCheck = {
  kind: 'operation',
  id: 'object-access',
  title: "Another user's object is answered",
  cwes: [639],
  severity: 'HIGH',
  solution:
    'Look the object up together with its owner, or compare its owner with who asks, in every operation that takes a reference.',
  profile: 'BASIC',
  accepts: (operation, context) => operation.kind === 'read' && mayNameAccounts(operation, context),
  async *probe(operation, context) {
    const point = context.pointsOf(operation).find((candidate) => isReference(candidate))
    if (point === undefined) return
    for (const pair of await pairsOf(context)) {
      const sighting =
        (await readAsStranger(operation, point, pair, context)) ??
        (await readPageAsStranger(operation, point, pair, context))
      if (sighting === null) continue
      yield sighting
      return
    }
  },
}

async function readAsStranger(
  operation: Operation,
  point: Point,
  pair: Pair,
  context: Context,
): Promise<Sighting | null> {
  const { owner, stranger, own, others } = pair
  for (const { value, isOwn } of ownReferences(point, operation, own, others).slice(0, MOST_CANDIDATES)) {
    const changes = [{ point, value }]
    const mine = await context.attempt(operation, changes, { identity: owner })
    if (!isFine(mine) || hasErrors(mine)) continue
    const mark = names(mine.text, own.marks)
    // A name alone is what people find each other by.
    const secrets = privateValues(mine.text, [value], others).filter((secret) => !own.marks.has(secret.toLowerCase()))
    const isPage = readJson(mine.text) === undefined
    // one thing that is asked for by its owner's name is the owner's, whether or not it says so
    const isNamed = own.marks.has(value.toLowerCase())
    const isOwned = mark !== null || isOwn || (isNamed && isOneThing(mine.text))
    if (!isOwned || (isPage ? mark === null : secrets.length === 0)) continue

    const theirs = await context.attempt(operation, changes, { identity: stranger })
    if (!isFine(theirs) || !isSame(mine, theirs) || (mark !== null && names(theirs.text, own.marks) === null)) continue
    if (!isPage && !secrets.some((secret) => theirs.text.includes(secret))) continue

    const nobodys = await context.attempt(operation, changes, { identity: null })
    if (nobodys === null) continue
    // a page that is a menu for the most part is like the one that asks to sign in, on which nobody is named
    const isUnnamed =
      isPage && mark !== null && !value.toLowerCase().includes(mark) && names(nobodys.text, own.marks) === null
    if (isFine(nobodys) && isSame(mine, nobodys)) {
      if (!isUnnamed || (await isNamedAnyway(operation, point, { stranger, own }, context))) continue
    }
    const telling = isOwn ? secrets : secrets.filter(isText)
    if (mark === null && !(await isTheirsAlone(operation, point, telling, pair, isNamed, context))) continue
    // what was refused to nobody must not have gone away meanwhile
    const still = await context.attempt(operation, changes, { identity: owner })
    if (!isFine(still) || !isSame(mine, still)) continue
    if (isPage && (await isLinkedFor(stranger, operation, { point, value }, context))) continue
    if (mark !== null && (await isListedFor(stranger, mine, mark, context))) continue
    return {
      detail: `${stranger.name} is answered with what belongs to ${owner.name}, which is refused without credentials.`,
      proof: [mark ?? '', ...secrets.slice(0, 3)].filter((text) => text !== ''),
      exchange: theirs,
      operation,
      point,
    }
  }
  return null
}

/** Whether the stranger is shown the owner's name whatever is asked for, such as in a list of those who are there. */
async function isNamedAnyway(
  operation: Operation,
  point: Point,
  { stranger, own }: Pick<Pair, 'stranger' | 'own'>,
  context: Context,
): Promise<boolean> {
  const isNumber = /^\d{1,20}$/.test(String(point.value))
  const value = isNumber ? String(context.number(9)) : context.word()
  const other = await context.attempt(operation, [{ point, value }], { identity: stranger })
  return other === null || names(other.text, own.marks) !== null
}

/** Whether one of the values is answered neither to the stranger's names, where names are what is asked with, nor to a made-up one. */
async function isTheirsAlone(
  operation: Operation,
  point: Point,
  secrets: readonly string[],
  { owner, others: [strangers] }: Pair,
  isNamed: boolean,
  context: Context,
): Promise<boolean> {
  const names = isNamed ? [...(strangers?.marks ?? [])].slice(0, MOST_CANDIDATES) : []
  let left = [...secrets]
  for (const value of [...names, context.word()]) {
    if (left.length === 0) return false
    const other = await context.attempt(operation, [{ point, value }], { identity: owner })
    if (other === null) return false
    left = left.filter((secret) => !other.text.includes(secret))
  }
  return left.length > 0
}

/** Neither a number nor an address, which people and things have that anybody may know. */
const isText = (value: string) => /[a-z]{3}/i.test(value) && !/^(https?:)?\//.test(value)

/** An object without lists: what many can be found by would be one. */
function isOneThing(text: string): boolean {
  const json = readJson(text)
  return isObject(json) && Object.values(json).every((inner) => !isList(inner))
}

/** Answers of 200 that say that nothing was done. */
export const hasErrors = ({ text }: Exchange): boolean =>
  /^\s*\{\s*"(errors|error)"\s*:\s*[[{"]/.test(text.slice(0, 200)) ||
  /"data"\s*:\s*(null|\{\s*"\w{1,100}"\s*:\s*null\s*\})/.test(text.slice(0, 2_000))

export const objectChanging: OperationCheck = {
  kind: 'operation',
  id: 'object-change',
  title: "Another user's object is changed",
  cwes: [639],
  severity: 'HIGH',
  solution: 'Change only rows whose owner is who asks; answer as if there were none otherwise.',
  profile: 'DEEP',
  accepts: (operation, context) =>
    operation.kind === 'update' && operation.body !== null && mayNameAccounts(operation, context),
  async *probe(operation, context) {
    const points = context.pointsOf(operation)
    const reference = points.find((candidate) => isReference(candidate))
    const field = points.find(
      (candidate) =>
        candidate !== reference && isFreeText(candidate) && ['json', 'form', 'variable'].includes(candidate.place),
    )
    if (reference === undefined || field === undefined) return
    const [pair] = await pairsOf(context)
    if (pair === undefined) return
    const sighting = await changeAsStranger(operation, reference, field, pair, context)
    if (sighting !== null) yield sighting
  },
}

const isFreeText = ({ value, schema, name }: Point): boolean =>
  typeof value === 'string' &&
  !schema?.enum &&
  !schema?.format &&
  !/(password|email|mail|date|url|id|token|phone)$/i.test(name)

async function changeAsStranger(
  operation: Operation,
  reference: Point,
  field: Point,
  { owner, stranger, own, others }: Pair,
  context: Context,
): Promise<Sighting | null> {
  for (const { value, isOwn } of ownReferences(reference, operation, own, others).slice(0, 2)) {
    if (!isOwn) continue
    const changed = (word: string): Change[] => [
      { point: reference, value },
      { point: field, value: word },
    ]
    const before = await readOwn(operation, reference, value, owner, '', context)
    const putBack = async () => {
      const kept = before === null ? undefined : leafOf(before.text, field)
      if (kept !== undefined) await context.attempt(operation, changed(kept), { identity: owner })
    }
    const nobodys = await context.attempt(operation, changed(context.word()), { identity: null })
    if (isFine(nobodys)) await putBack()
    if (nobodys === null || isFine(nobodys)) continue
    const word = context.word()
    const theirs = await context.attempt(operation, changed(word), { identity: stranger })
    if (!isFine(theirs) || hasErrors(theirs)) continue
    const after = await readOwn(operation, reference, value, owner, word, context)
    if (after === null) continue
    await putBack()
    return {
      detail: `${stranger.name} changed ${field.name} of what belongs to ${owner.name}, who reads the change back.`,
      proof: [word],
      exchange: after,
      operation,
      point: reference,
    }
  }
  return null
}

/** The text of a field in an object, or in the only object of that kind, as it was read. */
function leafOf(text: string, field: Point): string | undefined {
  const json = readJson(text)
  const leaves: Known[] = []
  if (json !== undefined) collect(json, '', leaves)
  const plain = leafName(field.name)
  const values = leaves.filter(({ name }) => name === plain).map((leaf) => leaf.value)
  return values.length === 1 ? values[0] : undefined
}

/** The owner's reading of the object, or of lists, that has the word. */
async function readOwn(
  operation: Operation,
  reference: Point,
  value: string,
  owner: Identity,
  word: string,
  context: Context,
) {
  const stem = operation.path.split('{')[0] ?? ''
  const near = context.operations.filter(
    (other) => other.kind === 'read' && stem.length > 1 && other.path.startsWith(stem.replace(/\/$/, '')),
  )
  const pointOf = (other: Operation) =>
    context.pointsOf(other).find(({ place, name }) => place === reference.place && name === reference.name)
  near.sort((one, other) => Number(pointOf(other) !== undefined) - Number(pointOf(one) !== undefined))
  for (const other of near.slice(0, 4)) {
    const point = pointOf(other)
    const exchange = await context.attempt(other, point ? [{ point, value }] : [], { identity: owner })
    if (isFine(exchange) && exchange.text.includes(word)) return exchange
  }
  return null
}
