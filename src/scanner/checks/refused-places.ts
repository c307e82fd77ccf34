// Collects what the first identity is refused: reading operations, and pages for administrators to which nothing leads.

import type { Context } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { asksPassword } from '../html.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import { isInScope } from '../scope.ts'
import { isSafe } from '../seed/names.ts'
import { isTurnedAway } from '../session.ts'
import type { Exchange, HttpRequest, Operation } from '../types.ts'
import { isRefusalPage } from './function-access.ts'
import { hasErrors, isFine, once } from './ownership.ts'

/** `operation` is null for a page that is only guessed. */
export type RefusedPlace = { operation: Operation | null; request: HttpRequest; refused: Exchange }

const MOST_PLACES = 12
/** Two answers with at least this likeness say the same. */
const ALIKE = 0.9
/** Below this, two answers are of different pages. */
export const LIKELY = 0.5
const GUESSED = ['admin', 'admin/', 'administrator', 'internal', 'console']

/** Whether an answer refuses: by its status, by a redirect to the sign-in, or by a page that says so. */
export const isRefusing = (exchange: Exchange): boolean =>
  isTurnedAway(exchange) || exchange.answer.status === 403 || (isFine(exchange) && isRefusalPage(exchange))

/** Whether an answer is what was refused, or at least something: neither another refusal nor a page to sign in. */
export const isOpened = (exchange: Exchange | null, refused: Exchange): exchange is Exchange =>
  isFine(exchange) &&
  !isRefusing(exchange) &&
  !hasErrors(exchange) &&
  likenessOf(exchange, refused) < ALIKE &&
  !asksPassword(exchange.text)

type Ask = () => Promise<Exchange | null>
/** Asks with the claim, with a meaningless one, and with none. */
type Asking = { claimed: Ask; madeUp: Ask; plain: Ask }

/**
 * The second answer to a claim that is opened twice, and the refusal without it in between; null where it is not, or where the answer
 * to the meaningless claim does not count as a refusal beside the first (`isDenied`).
 */
export async function openedTwice(
  { claimed, madeUp, plain }: Asking,
  opens: (exchange: Exchange | null) => exchange is Exchange,
  isDenied: (control: Exchange, first: Exchange) => boolean,
): Promise<{ again: Exchange; still: Exchange } | null> {
  const first = await claimed()
  if (!opens(first)) return null
  const control = await madeUp()
  if (control === null || !isDenied(control, first)) return null
  const [still, again] = [await plain(), await claimed()]
  if (still === null || !isRefusing(still) || !opens(again) || likenessOf(again, first) < LIKELY) return null
  return { again, still }
}

/** Asked once in a scan. */
export const refusedPlaces = (context: Context): Promise<RefusedPlace[]> =>
  once(context, 'refused places', async () => {
    const places: RefusedPlace[] = []
    for (const operation of context.operations.filter((one) => isSafe(one))) {
      const refused = context.seen(operation)
      if (refused && isRefusing(refused)) places.push({ operation, request: context.requestOf(operation), refused })
    }
    const paths = new Set(context.operations.map(({ path }) => path))
    for (const name of GUESSED) {
      const url = new URL(name, context.target)
      if (paths.has(url.pathname) || !isInScope(url.href, context.scope)) continue
      const refused = await quietly(context.send(get(url.href)))
      if (refused !== null && isRefusing(refused)) places.push({ operation: null, request: get(url.href), refused })
    }
    return places.slice(0, MOST_PLACES)
  })
