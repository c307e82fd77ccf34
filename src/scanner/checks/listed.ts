// Whether objects of a kind are public: a list for others contains one of the same owner with the same fields, and does not name them.

import type { Context } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Exchange, Identity, Json } from '../types.ts'
import { plainName } from '../values.ts'
import { isAdministrative } from './administrative.ts'
import { holdingsOf, isReference, names } from './ownership.ts'

const MOST_THINGS = 200
const DEEPEST = 6

type Thing = { readonly [name: string]: Json }

/** `mark` names the owner in what `mine` answers with. A list for administrators says nothing of what is for everybody. */
export async function isListedFor(
  stranger: Identity,
  mine: Exchange,
  mark: string,
  context: Context,
): Promise<boolean> {
  const thing = thingIn(readJson(mine.text))
  const owner = thing && ownerIn(thing, mark)
  if (!thing || !owner) return false
  // what names the stranger, such as a letter to him, is shown him for that
  const { marks } = await holdingsOf(context, stranger)
  const isForAnybody = (one: Thing) => names(JSON.stringify(one), marks) === null
  const isOfKind = (one: Thing) => shapeOf(one) === shapeOf(thing) && ownerIn(one, mark) === owner && isForAnybody(one)
  const lists = context.operations.filter(
    (operation) =>
      operation.kind === 'read' && !isAdministrative(operation) && !context.pointsOf(operation).some(isReference),
  )
  return lists.some((operation) => listedIn(readJson(context.seen(operation, stranger)?.text ?? ''), 0).some(isOfKind))
}

/** The object of an answer, without its envelope. */
function thingIn(json: Json | undefined): Thing | null {
  if (!isObject(json)) return null
  const inner = Object.values(json)
  const [only] = inner
  return inner.length === 1 && isObject(only) ? only : json
}

const shapeOf = (thing: Thing): string => Object.keys(thing).sort().join(' ')

/** The name of the leaf whose value is the mark. */
function ownerIn(json: Json, mark: string, depth = 0): string | null {
  if (!isObject(json) || depth > DEEPEST) return null
  for (const [name, value] of Object.entries(json)) {
    if (typeof value !== 'object' && String(value).toLowerCase() === mark.toLowerCase()) return plainName(name)
    const inner = ownerIn(value, mark, depth + 1)
    if (inner !== null) return inner
  }
  return null
}

/** The objects in the lists of an answer. */
function listedIn(json: Json | undefined, depth: number): Thing[] {
  if (depth > DEEPEST) return []
  if (isList(json)) return json.slice(0, MOST_THINGS).filter(isObject)
  return isObject(json) ? Object.values(json).flatMap((inner) => listedIn(inner, depth + 1)) : []
}
