// Sends an amount and tells whether the target keeps it: a list, a page, or the answer that gives what was made an id shows it.

import type { Context } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Change, Exchange, Json, Operation, Point } from '../types.ts'
import { leafName, plainName, resourceOf } from '../values.ts'
import { readersOf, seenAt } from './across-sites.ts'
import { freshBeside } from './fresh-texts.ts'
import { hasErrors, isFine } from './ownership.ts'

/** What something is bought, paid or transferred with, and what puts that right or only keeps books of it. */
export const BUYS =
  /order|cart|basket|checkout|purchas|(^|[^a-z])buy|(^|[^a-z])pay|transfer|withdraw|deposit|trade|booking|reserv|send-?(money|coin)|invest|top-?up|donat|bid/i
export const CORRECTS = /refund|correct|adjust|credit-?note|return|journal|ledger|expense|budget/i

const MOST_READERS = 3

export type Kept = { number: number; exchange: Exchange; shownBy: string }

/** Whether the request was accepted; a form answers with a redirect to the outcome. */
export const isTaken = (exchange: Exchange | null | undefined, { source }: Operation): exchange is Exchange => {
  const status = exchange?.answer.status ?? 0
  return status >= 200 && status < (source === 'form' ? 400 : 300)
}

/** Whether a value is an amount: a number, or in a form a text that is one. */
export const isNumeric = ({ place, value }: Point): boolean => {
  if (place !== 'json' && place !== 'form' && place !== 'variable') return false
  return typeof value === 'number' || (place === 'form' && /^\d+(\.\d+)?$/.test(String(value)))
}

/** What shows the number as it is kept; null where nothing does. `onPages` is how pages would write it. */
export async function keptAmount(
  number: number,
  onPages: RegExp,
  point: Point,
  operation: Operation,
  context: Context,
): Promise<Kept | null> {
  const sent: Change = { point, value: typeof point.value === 'number' ? number : String(number) }
  const beside = await freshBeside(point, operation, context)
  const exchange = await context.attempt(operation, [sent, ...beside])
  if (!isTaken(exchange, operation) || hasErrors(exchange)) return null
  const plain = leafName(point.name)
  const about = resourceOf(operation)
  const readers = context.operations.filter(
    (one) =>
      one.method === 'GET' && !one.path.includes('{') && (one.path === operation.path || resourceOf(one) === about),
  )
  for (const reader of readers.slice(0, MOST_READERS)) {
    const read = await context.attempt(reader)
    if (isFine(read) && has(readJson(read.text), plain, number, false))
      return { number, exchange: read, shownBy: reader.key }
  }
  if (has(readJson(exchange.text), plain, number, true)) return { number, exchange, shownBy: 'the response' }
  return point.place === 'form' ? shownOn(number, onPages, operation, exchange, context) : null
}

/** The page that shows the number both times it is read; refused input is shown only once, for correction. */
async function shownOn(
  number: number,
  onPages: RegExp,
  operation: Operation,
  answer: Exchange,
  context: Context,
): Promise<Kept | null> {
  const [owner = null] = context.identities
  for (const url of readersOf(operation, answer, context)) {
    if (url.includes(String(Math.abs(number)))) continue
    const texts = async () => (await seenAt(url, owner, context)) ?? ''
    if (!onPages.test(await texts()) || !onPages.test(await texts())) continue
    return { number, exchange: answer, shownBy: url }
  }
  return null
}

/** Whether an object has the number under the name; of an answer to what was sent, one that has got an id. */
function has(json: Json | undefined, plain: string, number: number, withId: boolean, isIn = false, depth = 0): boolean {
  if (json === undefined || depth > 8) return false
  if (isList(json)) return json.some((one) => has(one, plain, number, withId, isIn, depth + 1))
  if (!isObject(json)) return false
  const isMade = isIn || Object.keys(json).some((name) => /^_?(id|uuid)$/.test(plainName(name)))
  return Object.entries(json).some(([name, value]) =>
    typeof value === 'object'
      ? has(value, plain, number, withId, isMade, depth + 1)
      : plainName(name) === plain && Number(value) === number && (isMade || !withId),
  )
}
