// Checks whether an order, payment or booking accepts and stores a negative amount, which would be credited to the caller.

import type { Context, OperationCheck } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Change, Exchange, Json, Operation, Point } from '../types.ts'
import { leafName, plainName, resourceOf } from '../values.ts'
import { readersOf, seenAt } from './across-sites.ts'
import { freshBeside } from './fresh-texts.ts'
import { hasErrors, isFine } from './ownership.ts'

/** Amounts that are never negative. */
const COUNT =
  /^(quantity|qty|quantities|units|pieces|copies|seats|tickets|nights|guests|shares|persons|numberof\w{1,30})$/
/** Amounts that may be negative in corrections and accounts, but not when something is bought, paid or transferred. */
const MONEY = /^(amount|price|unitprice|total|totalamount|totalprice|subtotal|cost|sum)$/
const BUYS =
  /order|cart|basket|checkout|purchas|(^|[^a-z])buy|(^|[^a-z])pay|transfer|withdraw|deposit|trade|booking|reserv|send-?(money|coin)|invest|top-?up|donat|bid/i
const CORRECTS = /refund|correct|adjust|credit-?note|return|journal|ledger|expense|budget/i

const MOST_POINTS = 2
const MOST_READERS = 3
/** Enough digits to recognise the number, and few enough to be accepted. */
const DIGITS = 3

export const negativeAmounts: OperationCheck = {
  kind: 'operation',
  id: 'negative-amount',
  title: 'An amount below nothing is taken',
  cwes: [1284, 20, 840],
  severity: 'MEDIUM',
  solution: 'Refuse amounts and numbers of things that are not above nothing, where they arrive.',
  profile: 'DEEP',
  accepts: (operation, context) =>
    (operation.kind === 'create' || (operation.kind === 'update' && operation.source === 'form')) &&
    mayNameAccounts(operation, context),
  async *probe(operation, context) {
    const first = context.seen(operation, context.identities[0])
    if (!isTaken(first, operation) || hasErrors(first)) return
    for (const point of context
      .pointsOf(operation)
      .filter((one) => isAmount(one, operation))
      .slice(0, MOST_POINTS)) {
      const kept = (await isKept(operation, point, context)) ? await isKept(operation, point, context) : null
      if (kept === null) continue
      yield {
        detail: `${point.name} was sent as ${kept.number}, and ${kept.shownBy} has it so; twice with other numbers.`,
        proof: [String(kept.number)],
        exchange: kept.exchange,
        operation,
        point,
      }
      return
    }
  },
}

/** Whether the request was accepted; a form answers with a redirect to the outcome. */
const isTaken = (exchange: Exchange | null | undefined, { source }: Operation): exchange is Exchange => {
  const status = exchange?.answer.status ?? 0
  return status >= 200 && status < (source === 'form' ? 400 : 300)
}

const isAmount = ({ place, name, value }: Point, { key }: Operation): boolean => {
  if (place !== 'json' && place !== 'form' && place !== 'variable') return false
  if (!(typeof value === 'number' || (place === 'form' && /^\d+(\.\d+)?$/.test(String(value))))) return false
  const plain = leafName(name)
  return COUNT.test(plain) || (MONEY.test(plain) && BUYS.test(key) && !CORRECTS.test(key))
}

type Kept = { number: number; exchange: Exchange; shownBy: string }

/** What shows the number below nothing as it is kept: a list, or the answer where it gives what was made an id. */
async function isKept(operation: Operation, point: Point, context: Context): Promise<Kept | null> {
  const number = -context.number(DIGITS)
  const below: Change = { point, value: typeof point.value === 'number' ? number : String(number) }
  const beside = await freshBeside(point, operation, context)
  const exchange = await context.attempt(operation, [below, ...beside])
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
  if (has(readJson(exchange.text), plain, number, true)) return { number, exchange, shownBy: 'the answer' }
  return point.place === 'form' ? shownOn(number, operation, exchange, context) : null
}

/** The page that shows the number both times it is read; refused input is shown only once, for correction. */
async function shownOn(number: number, operation: Operation, answer: Exchange, context: Context): Promise<Kept | null> {
  const [owner = null] = context.identities
  const shown = new RegExp(String.raw`(?<!\w)[-−]\s?[$€£¥]?\s?${-number}(?![\d])`)
  for (const url of readersOf(operation, answer, context)) {
    if (url.includes(String(-number))) continue
    const texts = async () => (await seenAt(url, owner, context)) ?? ''
    if (!shown.test(await texts()) || !shown.test(await texts())) continue
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
