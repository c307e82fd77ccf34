// Checks whether an order, payment or booking accepts and stores a negative amount, which would be credited to the caller.

import type { Context, OperationCheck } from '../check.ts'
import { mayNameAccounts } from '../resets.ts'
import type { Operation, Point } from '../types.ts'
import { leafName } from '../values.ts'
import { BUYS, CORRECTS, isNumeric, isTaken, type Kept, keptAmount } from './kept-amounts.ts'
import { hasErrors } from './ownership.ts'

/** Amounts that are never negative. */
const COUNT =
  /^(quantity|qty|quantities|units|pieces|copies|seats|tickets|nights|guests|shares|persons|numberof\w{1,30})$/
/** Amounts that may be negative in corrections and accounts, but not when something is bought, paid or transferred. */
const MONEY = /^(amount|price|unitprice|total|totalamount|totalprice|subtotal|cost|sum)$/

const MOST_POINTS = 2
/** Enough digits to recognise the number, and few enough to be accepted. */
const DIGITS = 3

export const negativeAmounts: OperationCheck = {
  kind: 'operation',
  id: 'negative-amount',
  title: 'Negative amount accepted',
  cwes: [1284, 20, 840],
  severity: 'MEDIUM',
  solution: 'Reject amounts and quantities that are not positive as soon as they arrive.',
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
        detail: `${point.name} was sent as ${kept.number}, and ${kept.shownBy} shows that value; repeated with other numbers.`,
        proof: [String(kept.number)],
        exchange: kept.exchange,
        operation,
        point,
      }
      return
    }
  },
}

const isAmount = (point: Point, { key }: Operation): boolean => {
  const plain = leafName(point.name)
  return isNumeric(point) && (COUNT.test(plain) || (MONEY.test(plain) && BUYS.test(key) && !CORRECTS.test(key)))
}

function isKept(operation: Operation, point: Point, context: Context): Promise<Kept | null> {
  const number = context.number(DIGITS)
  const onPages = new RegExp(String.raw`(?<!\w)[-−]\s?[$€£¥]?\s?${number}(?![\d])`)
  return keptAmount(-number, onPages, point, operation, context)
}
