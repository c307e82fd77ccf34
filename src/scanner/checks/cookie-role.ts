// Checks for cookies that say what their owner may do: with another word, they open what the owner is refused.

import type { Context, Sighting, TargetCheck } from '../check.ts'
import { quietly } from '../probing.ts'
import { withCookieHeader } from '../requests.ts'
import { isSafe } from '../seed/names.ts'
import type { Exchange } from '../types.ts'
import { rehashed } from './cookie-hash.ts'
import { readings } from './cookie-owner.ts'
import { countsOf, gained } from './gained-texts.ts'
import { isFine } from './ownership.ts'
import { isOpened, isRefusing, openedTwice, type RefusedPlace, refusedPlaces } from './refused-places.ts'
import { otherRoles } from './roles.ts'

/** Names of cookies and members that grant rights. */
const RIGHT =
  /^(is|has)?[-_]?(admin(istrator)?|superuser|staff|root|manager)$|rol[el]|perm|priv|access|level|group|(user|account|member)[-_]?type|rights|rank/i
/** A member of a JSON object, or a name and value as in a query string. */
const MEMBER = /(["']?)([A-Za-z][\w-]{1,30})\1(\s?[:=]\s?)(["']?)([\w-]{1,20})\4/g
/** A role without a name, separated from other words by punctuation. */
const ROLE = /(?<=^|[:|;,&.])(user|guest|member|customer|visitor|regular|normal)(?=$|[:|;,&.])/i
const MOST_ROLES = 4
/** Names of cookies that can only be rights, on whose word a page may show more. */
const GRANTS = /admin|superuser|staff|root|manager|rol[el]|perm|priv|rights/i
const MOST_PAGES = 4
const ROUNDS = 3

/** A right that the text grants, with a function that writes another value in its place. */
type Right = { value: string; written: (value: string) => string }

function rightsIn(cookie: string, text: string): Right[] {
  const found: Right[] = []
  const isJson = /^\s*[{[]/.test(text)
  if (RIGHT.test(cookie) && /^[\w-]{1,20}$/.test(text)) found.push({ value: text, written: (value) => value })
  for (const { index, 0: whole, 1: quote, 2: name = '', 3: between, 4: mark = '', 5: value = '' } of text.matchAll(
    MEMBER,
  )) {
    if (!RIGHT.test(name)) continue
    const written = (other: string) => {
      const around = isJson && mark === '' && !/^(\d+|true|false)$/.test(other) ? '"' : mark
      const member = `${quote}${name}${quote}${between}${around}${other}${around}`
      return text.slice(0, index) + member + text.slice(index + whole.length)
    }
    found.push({ value, written })
  }
  const role = ROLE.exec(text)
  if (role && found.length === 0) {
    const written = (other: string) => text.slice(0, role.index) + other + text.slice(role.index + role[0].length)
    found.push({ value: role[0], written })
  }
  return found
}

/** Values that would grant more than this one. */
function greaterThan(value: string): string[] {
  const opposite = { false: 'true', False: 'True', FALSE: 'TRUE', no: 'yes', n: 'y', N: 'Y' }[value]
  if (opposite !== undefined) return [opposite]
  if (/^\d+$/.test(value)) return ['1', '0', '2', '9', '100'].filter((other) => other !== value)
  return otherRoles(value)
    .filter((role) => /^(admin(istrator)?|superuser|manager)$/i.test(role))
    .slice(0, MOST_ROLES)
}

export const cookieRole: TargetCheck = {
  kind: 'target',
  id: 'cookie-role',
  title: 'Role taken from an unsigned cookie',
  cwes: [565, 784, 285],
  severity: 'HIGH',
  solution: 'Keep permissions on the server with the session, or sign the cookie.',
  profile: 'BALANCED',
  async *probe(context) {
    const cookies = context.cookies()
    const rights = cookies.flatMap(([cookie, value]) =>
      readings(value).flatMap(({ text, written }) =>
        rightsOfSaid(cookie, text).map((right) => ({
          cookie,
          value: right.value,
          write: (other: string) => written(right.written(other)),
        })),
      ),
    )
    const told = new Set<string>()
    for (const { cookie, value, write } of rights) {
      if (told.has(cookie)) continue
      const shown =
        (await opened(cookie, value, write, await refusedPlaces(context), context)) ??
        (GRANTS.test(cookie) ? await widened(cookie, value, write, context) : null)
      if (shown === null) continue
      told.add(cookie)
      yield { ...shown, cause: cookie }
    }
  },
}

/** The rights in a text; an unkeyed hash in it is recomputed when they are changed. */
function rightsOfSaid(cookie: string, text: string): Right[] {
  let said = text
  rehashed(text, (inner) => {
    said = inner
    return inner
  })
  return rightsIn(cookie, said).map(({ value, written }) => ({
    value,
    written: (other) => rehashed(text, () => written(other)),
  }))
}

/** The target's cookies, one of them with another value. */
const changed = (context: Context, cookie: string, value: string): [string, string][] =>
  context.cookies().map(([each, kept]) => [each, each === cookie ? value : kept])

/** The first refused place that another value opens twice, while the original and a made-up value are still refused. */
async function opened(
  cookie: string,
  own: string,
  write: (value: string) => string,
  places: readonly RefusedPlace[],
  context: Context,
): Promise<Sighting | null> {
  for (const { operation, request } of places) {
    const ask = (value: string) => {
      const sent = withCookieHeader(request, changed(context, cookie, write(value)))
      return quietly(context.send(sent, { identity: null, values: [value], ...(operation ? { operation } : {}) }))
    }
    const usual = await ask(own)
    if (usual === null || !isRefusing(usual)) continue
    for (const value of greaterThan(own)) {
      const opens = (exchange: Exchange | null): exchange is Exchange => isOpened(exchange, usual)
      const found = await openedTwice(
        { claimed: () => ask(value), madeUp: () => ask(context.word()), plain: () => ask(own) },
        opens,
        (madeUp) => !opens(madeUp),
      )
      if (found === null) continue
      const { again } = found
      return {
        detail: `With ${value} instead of ${own}, the cookie ${cookie} opens what is otherwise refused (${usual.answer.status}); a made-up value does not.`,
        proof: [again.text.slice(0, 80)],
        exchange: again,
        ...(operation ? { operation } : {}),
      }
    }
  }
  return null
}

/** The first page that shows more with another value of the cookie, again and again, and neither with its own nor with a made-up one. */
async function widened(
  cookie: string,
  own: string,
  write: (value: string) => string,
  context: Context,
): Promise<Sighting | null> {
  const pages = context.operations.filter((one) => isSafe(one) && isFine(context.seen(one))).slice(0, MOST_PAGES)
  for (const operation of pages) {
    const textsWith = async (value: string) => {
      const sent = withCookieHeader(context.requestOf(operation), changed(context, cookie, write(value)))
      const exchange = await quietly(context.send(sent, { identity: null, operation, values: [value] }))
      return isFine(exchange) ? { exchange, counts: countsOf(exchange.text) } : null
    }
    for (const value of greaterThan(own)) {
      const [first, usual] = [await textsWith(value), await textsWith(own)]
      if (first === null || usual === null) continue
      // a page that shows the cookie as it is grants nothing by it
      const more = gained(first.counts, usual.counts).filter((text) => !text.includes(value))
      if (more.length === 0) continue
      const others = [await textsWith(context.word())]
      const claimed = [await textsWith(value)]
      // what changes by itself, such as a picture of the day, does not follow the cookie so often
      for (let round = 0; round < ROUNDS; round += 1) {
        others.push(await textsWith(own))
        claimed.push(await textsWith(value))
      }
      const kept = more.find(
        (text) => claimed.every((one) => one?.counts.has(text)) && others.every((one) => one && !one.counts.has(text)),
      )
      const again = claimed.at(-1)
      if (kept === undefined || !again) continue
      return {
        detail: `With ${value} instead of ${own}, the cookie ${cookie} makes the page show what it otherwise does not; a made-up value does not.`,
        proof: [kept],
        exchange: again.exchange,
        operation,
      }
    }
  }
  return null
}
