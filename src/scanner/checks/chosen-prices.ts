// Checks whether whoever buys something may say what it costs: in a hidden field of a form, or beside the id of what has a price.

import type { Context, OperationCheck } from '../check.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Operation, Point } from '../types.ts'
import { leafName, plainName } from '../values.ts'
import { BUYS, CORRECTS, isNumeric, isTaken, type Kept, keptAmount } from './kept-amounts.ts'
import { isOrdinary } from './ordinary.ts'
import { hasErrors, holdingsOf } from './ownership.ts'

const PRICE = /^(unit|item|product|base|net|gross)?(price|cost)$/
/** In a hidden field, which nobody fills in, also what the whole costs. */
const COSTS =
  /^((unit|item|product|base|net|gross|total|order|final)?(price|cost|amount)|total|subtotal|grandtotal|fee)$/
/** What has a price of its own, as a field that refers to it has it: `productId`. */
const REFERENCE =
  /^(product|item|article|course|ticket|plan|book|variant|service|room|menuitem|dish|good|sku|event)(id|uuid|sku|code)$/
/** Where whoever asks is meant to name a price. */
const NEGOTIATES =
  /(?<!for)bid|(?<![a-z])tips?(?![a-z])|offer|auction|donat|quotes?(?![a-z])|quotation|propos|negotiat|trade|invest|supplier|vendor|procure|purchase-?_?orders?|invoice|transfer|deposit|withdraw|top-?up/i

const MOST_POINTS = 2

export const chosenPrices: OperationCheck = {
  kind: 'operation',
  id: 'chosen-price',
  title: 'Client-controlled price',
  cwes: [472, 840],
  severity: 'HIGH',
  solution: 'Take only the item and the quantity from a request. Look up the price and compute totals on the server.',
  profile: 'DEEP',
  accepts: (operation, context) =>
    (operation.kind === 'create' || (operation.kind === 'update' && operation.source === 'form')) &&
    isPurchase(operation) &&
    mayNameAccounts(operation, context),
  async *probe(operation, context) {
    const [owner = null] = context.identities
    if (owner !== null && !isOrdinary(owner, context)) return
    const first = context.seen(operation, owner ?? undefined)
    if (!isTaken(first, operation) || hasErrors(first)) return
    for (const point of (await pricesOf(operation, context)).slice(0, MOST_POINTS)) {
      const kept = await keptTwice(operation, point, context)
      if (kept === null) continue
      yield {
        detail: `${point.name} was sent as ${kept.number} instead of ${point.value}, and ${kept.shownBy} shows that value; repeated with other numbers.`,
        proof: [String(kept.number)],
        exchange: kept.exchange,
        operation,
        point,
      }
      return
    }
  },
}

const isPurchase = ({ key, foundOn = '' }: Operation): boolean => {
  const words = `${key} ${URL.parse(foundOn)?.pathname ?? ''}`
  return BUYS.test(words) && !CORRECTS.test(key) && !NEGOTIATES.test(key)
}

/** Fields for a price that only the target knows, or is known to have. */
async function pricesOf(operation: Operation, context: Context): Promise<Point[]> {
  const points = context.pointsOf(operation).filter(isNumeric)
  const hidden = points.filter(({ name }) => operation.hidden?.includes(name) && COSTS.test(leafName(name)))
  const beside = points.filter(({ place, name }) => place !== 'form' && PRICE.test(leafName(name)))
  if (beside.length === 0) return hidden
  const [owner = null] = context.identities
  const { leaves } = await holdingsOf(context, owner)
  const isKnown = (point: Point): boolean =>
    referencesBeside(point, operation, context).some(({ name, value }) => {
      const kind = REFERENCE.exec(plainName(name.split('.').at(-1) ?? ''))?.[1]
      return leaves.some(
        (leaf) => leaf.of === kind && PRICE.test(leaf.name) && leaf.beside.has(String(value).toLowerCase()),
      )
    })
  return [...hidden, ...beside.filter(isKnown)]
}

const referencesBeside = ({ name, place }: Point, operation: Operation, context: Context): Point[] => {
  const way = (given: string) => given.split('.').slice(0, -1).join('.')
  return context
    .pointsOf(operation)
    .filter((one) => one.place === place && way(one.name) === way(name) && REFERENCE.test(leafName(one.name)))
}

/** A small price is taken where somebody has little to pay with, and a whole number where prices have no other. */
async function keptTwice(operation: Operation, point: Point, context: Context): Promise<Kept | null> {
  const isWhole = point.schema?.type === 'integer'
  const numbers = [
    ...(isWhole ? [] : [() => Number(`${context.number(1)}.${context.number(2)}`)]),
    ...(isWhole ? [() => context.number(3)] : []),
    () => context.number(5),
  ]
  for (const fresh of numbers) {
    const once = await kept(fresh(), operation, point, context)
    const again = once && (await kept(fresh(), operation, point, context))
    if (again) return again
  }
  return null
}

function kept(number: number, operation: Operation, point: Point, context: Context): Promise<Kept | null> {
  const [whole = '', cents] = String(number).split('.')
  const written = whole.length > 3 ? String.raw`${whole.slice(0, -3)}[.,'\s]?${whole.slice(-3)}` : whole
  const onPages = new RegExp(String.raw`(?<![\w.,])${written}${cents ? `[.,]${cents}` : ''}(?!\d)`)
  return keptAmount(number, onPages, point, operation, context)
}
