// Checks for broken object level authorisation: one user's private object is requested by another.

import type { Context, OperationCheck, Sighting } from '../check.ts'
import { steadyText, textLikeness } from '../compare.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Exchange, Operation, Point } from '../types.ts'
import { isLinkedFor } from './linked.ts'
import { isListedFor } from './listed.ts'
import { namedInPath, withOwnBelow } from './nested.ts'
import { asTaken, hasErrors, isFine, isReference, names, ownReferences } from './ownership.ts'
import { readPageAsStranger } from './page-access.ts'
import { type Pair, pairsOf } from './pairs.ts'
import { isKeptToOneself, personalValues, privateValues, SHOWN_OF_THOSE } from './private-values.ts'

/** How many values of one reference are tried. */
const MOST_CANDIDATES = 4

const isSame = (one: Exchange, other: Exchange): boolean =>
  one.answer.status === other.answer.status && textLikeness(steadyText(one.text), steadyText(other.text)) > 0.9

export const objectReading: OperationCheck = {
  kind: 'operation',
  id: 'object-access',
  title: 'Access to another user’s object (IDOR)',
  cwes: [639],
  severity: 'HIGH',
  solution:
    'Look the object up together with its owner, or check that the caller owns it, in every operation that takes a reference.',
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

async function readAsStranger(given: Operation, point: Point, pair: Pair, context: Context): Promise<Sighting | null> {
  const { owner, stranger, own, others } = pair
  for (const { value, isOwn } of ownReferences(point, given, own, others).slice(0, MOST_CANDIDATES)) {
    const operation = await withOwnBelow(given, point, value, owner, context)
    const changes = [{ point, value: asTaken(point, value) }]
    const mine = await context.attempt(operation, changes, { identity: owner })
    if (!isFine(mine) || hasErrors(mine)) continue
    const mark = names(mine.text, own.marks)
    // A name alone is what people find each other by.
    const sent = [value, ...namedInPath(operation)]
    const secrets = [
      ...privateValues(
        mine.text,
        sent,
        others,
        isOwn && isKeptToOneself(operation) ? SHOWN_OF_THOSE : undefined,
      ).filter((secret) => !own.marks.has(secret.toLowerCase())),
      ...personalValues(mine.text, sent),
    ]
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
      detail: `${stranger.name} gets an object that belongs to ${owner.name} and is refused without credentials.`,
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
  const other = await context.attempt(operation, [{ point, value: asTaken(point, value) }], { identity: stranger })
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
    const other = await context.attempt(operation, [{ point, value: asTaken(point, value) }], { identity: owner })
    if (other === null) return false
    left = left.filter((secret) => !other.text.includes(secret))
  }
  return left.length > 0
}

/** Neither a number nor an address, both of which may be public. */
const isText = (value: string) => /[a-z]{3}/i.test(value) && !/^(https?:)?\//.test(value)

/** An object without lists; a search result would contain one. */
function isOneThing(text: string): boolean {
  const json = readJson(text)
  return isObject(json) && Object.values(json).every((inner) => !isList(inner))
}
