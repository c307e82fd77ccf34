// Checks whether members named `__proto__` of a document change what all objects of the target's process have.

import type { Context, TargetCheck } from '../check.ts'
import { headerOf } from '../http.ts'
import { isList, isObject, leavesOf, readJson } from '../json-leaves.ts'
import { quietly } from '../probing.ts'
import { mayNameAccounts } from '../resets.ts'
import { isSafe } from '../seed/names.ts'
import type { Change, Exchange, Json, Operation } from '../types.ts'
import { freshTexts, isLabel } from './fresh-texts.ts'
import { isFine } from './ownership.ts'

const MOST_OPERATIONS = 40
/** Objects within a document that are given the members. */
const MOST_OBJECTS = 8

/**
 * What frameworks read from objects that usually do not have it: how Express indents JSON, the status of a fault, and a header of its
 * middleware for other origins. The names are rare, because nothing takes away again what all objects have: `NONE` stands for it then.
 */
type Signs = { 'json spaces': number; statusCode: number; exposedHeaders: string }
const NONE: Signs = { 'json spaces': 0, statusCode: 0, exposedHeaders: '' }

const told: Readonly<Record<keyof Signs, (signs: Signs) => string>> = {
  'json spaces': (signs) => `JSON is indented by ${signs['json spaces']}`,
  statusCode: (signs) => `a truncated document is answered with ${signs.statusCode}`,
  exposedHeaders: (signs) => `responses expose the header ${signs.exposedHeaders}`,
}

/** A member that leads from an object to what all have, and what is sent as it. */
type Way = { name: string; member: string; of: (signs: Signs) => Json }
const ways: readonly Way[] = [
  { name: '__proto__', member: '__proto__', of: (signs) => signs },
  { name: 'constructor.prototype', member: 'constructor', of: (signs) => ({ prototype: signs }) },
]

export const prototypePollution: TargetCheck = {
  kind: 'target',
  // what it changes holds for every answer
  isLast: true,
  id: 'prototype-pollution',
  title: 'Prototype pollution',
  cwes: [1321],
  severity: 'HIGH',
  solution:
    'When objects are merged, copy only an explicit list of members, or leave out __proto__, constructor and prototype. Restart the process afterwards: objects keep the names that this check used.',
  profile: 'DEEP',
  async *probe(context) {
    const writing = context.operations.filter(
      (one) =>
        one.body?.type === 'json' &&
        isObject(one.body.value) &&
        one.kind !== 'delete' &&
        !one.isDestructive &&
        !one.isSignIn &&
        mayNameAccounts(one, context),
    )
    const reader = readerOf(context)
    for (const operation of writing.slice(0, MOST_OPERATIONS)) {
      for (const way of ways) {
        const seen = await changedTwice(operation, way, reader, context)
        if (seen === null) continue
        yield {
          detail: `Members of ${way.name} apply to all objects: ${seen.shown.join(', and ')}, as sent, twice with other values. ${seen.isUndone ? 'They were reset.' : 'They could not be reset.'}`,
          proof: [`"${way.member}"`],
          exchange: seen.exchange,
          operation,
        }
        return
      }
    }
  },
}

type Changed = { shown: string[]; exchange: Exchange; isUndone: boolean }

/** What is seen of the signs both times that others are sent; they are set back each time, whether or not anything is seen. */
async function changedTwice(
  operation: Operation,
  way: Way,
  reader: Operation | null,
  context: Context,
): Promise<Changed | null> {
  const observe = () => shownBy(operation, reader, context)
  const before = await observe()
  let changed: Changed | null = null
  for (let times = 0; times < 2; times += 1) {
    const signs = freshSigns(before, context)
    const exchange = await send(operation, way, signs, context)
    const after = await observe()
    await send(operation, way, NONE, context)
    const names = namesOf(signs).filter((name) => after[name] === signs[name])
    if (exchange === null || names.length === 0) return null
    const still = await observe()
    changed = {
      shown: names.map((name) => told[name](signs)),
      exchange,
      isUndone: names.every((name) => still[name] === before[name]),
    }
  }
  return changed
}

const namesOf = (signs: Signs) => Object.keys(signs) as (keyof Signs)[]

/** Others than what is seen without them. */
function freshSigns(before: Signs, context: Context): Signs {
  const other = (from: number, most: number, than: number): number => {
    const made = from + (context.number(3) % most)
    return made === than ? from + most : made
  }
  return {
    'json spaces': other(3, 6, before['json spaces']),
    // 452 to 492: statuses that nothing has
    statusCode: other(452, 40, before.statusCode),
    exposedHeaders: `x-${context.word()}`,
  }
}

/** Sends the operation with the signs in every object of its document. */
function send(operation: Operation, { member, of }: Way, signs: Signs, context: Context): Promise<Exchange | null> {
  const points = context.pointsOf(operation)
  const label = operation.kind === 'create' ? points.find(isLabel) : undefined
  const added = objectsOf(operation).map(
    (object): Change => ({ point: { place: 'json', name: `${object}${member}`, value: null }, value: of(signs) }),
  )
  return context.attempt(operation, [...(label ? freshTexts(points, label, context).changes : []), ...added])
}

/** The ways to the objects of a document, each with the dot behind it; the first is the document itself. */
function objectsOf({ body }: Operation): string[] {
  const leaves = body?.type === 'json' ? leavesOf(body.value) : []
  const ways = leaves.flatMap(({ name }) => {
    const parts = name.split('.').slice(0, -1)
    return parts.map((_, at) => `${parts.slice(0, at + 1).join('.')}.`)
  })
  return [...new Set(['', ...ways])].slice(0, MOST_OBJECTS)
}

/** What shows how JSON is written: a reading operation that answers with some. */
const readerOf = (context: Context): Operation | null =>
  context.operations.find((one) => {
    const exchange = isSafe(one) ? context.seen(one) : undefined
    const json = isFine(exchange) ? readJson(exchange.text) : undefined
    return (isObject(json) && Object.keys(json).length > 0) || (isList(json) && json.length > 0)
  }) ?? null

async function shownBy(operation: Operation, reader: Operation | null, context: Context): Promise<Signs> {
  const read = reader && (await context.attempt(reader))
  const { method, url, headers } = context.requestOf(operation)
  const body = '{"'
  const sized = headers.map(([name, value]): readonly [string, string] =>
    /^content-length$/i.test(name) ? [name, String(body.length)] : [name, value],
  )
  const refused = await quietly(context.send({ method, url, headers: sized, body }, { operation, values: [body] }))
  return {
    'json spaces': read ? (/^\s{0,10}[[{]\r?\n( {1,20})\S/.exec(read.text)?.[1]?.length ?? 0) : 0,
    statusCode: refused?.answer.status ?? 0,
    exposedHeaders: read ? headerOf(read.answer, 'access-control-expose-headers') : '',
  }
}
