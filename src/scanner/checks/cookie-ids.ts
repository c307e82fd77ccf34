// Checks for cookies that are a short number and by themselves open an account: the next number is the next account.

import type { Context, Sighting, TargetCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { quietly } from '../probing.ts'
import { withCookieHeader } from '../requests.ts'
import { isSafe } from '../seed/names.ts'
import type { Exchange, Operation } from '../types.ts'
import { readings } from './cookie-owner.ts'
import { answerFor, isFine } from './ownership.ts'

/** Digits that somebody can count through. */
const NUMBER = /^\d{1,9}$/
/** How many pages are tried. */
const MOST_PAGES = 6
/** Two pages with at least this likeness count as the same page. */
const SAME = 0.9

export const cookieIds: TargetCheck = {
  kind: 'target',
  id: 'cookie-number',
  title: 'Authentication bypass with a guessable cookie',
  cwes: [565, 639, 302],
  severity: 'CRITICAL',
  solution: 'Store nothing but the random ID of a server-side session in the cookie, or sign its contents.',
  profile: 'BALANCED',
  async *probe(context) {
    if (context.identities.length === 0) return
    for (const [cookie, value] of context.cookies()) {
      const reading = readings(value).find(({ text }) => NUMBER.test(text))
      if (reading === undefined) continue
      const shown = await openedBy(cookie, Number(reading.text), (number) => reading.written(String(number)), context)
      if (shown !== null) yield { ...shown, cause: cookie }
    }
  },
}

/** The first page that the cookie alone opens, that a number of no account does not open, and nobody without a cookie. */
async function openedBy(
  cookie: string,
  own: number,
  written: (number: number) => string,
  context: Context,
): Promise<Sighting | null> {
  for (const operation of await ownPages(context.pathOfCookie(cookie), context)) {
    const usual = context.seen(operation)
    const ask = (number: number) => {
      const sent = withCookieHeader(context.requestOf(operation), [[cookie, written(number)]])
      return quietly(context.send(sent, { identity: null, operation, values: [String(number)] }))
    }
    const isOwn = (exchange: Exchange | null): exchange is Exchange =>
      isFine(exchange) && usual !== undefined && likenessOf(exchange, usual) >= SAME
    if (!isOwn(await ask(own))) continue
    // a mark that somebody has been here is no account
    if (isFine(await ask(context.number(9))) || isFine(await ask(context.number(8)))) continue
    const again = await ask(own)
    if (!isOwn(again)) continue
    const detail = `The cookie ${cookie} is a short number and opens the account without anything else: whoever tries all numbers gets into other accounts.`
    return { detail, proof: [], exchange: again, operation }
  }
  return null
}

/** Pages below the path that the first identity gets and nobody else does. */
async function ownPages(path: string, context: Context): Promise<Operation[]> {
  const pages: Operation[] = []
  const isBelow = (operation: Operation) => new URL(context.requestOf(operation).url).pathname.startsWith(path)
  for (const operation of context.operations.filter((one) => isSafe(one) && isBelow(one))) {
    if (pages.length >= MOST_PAGES) break
    const usual = context.seen(operation)
    if (!isFine(usual)) continue
    const nobodys = await answerFor(context, operation, null)
    if (nobodys !== null && (!isFine(nobodys) || likenessOf(nobodys, usual) < SAME)) pages.push(operation)
  }
  return pages
}
