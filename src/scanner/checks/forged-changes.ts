// Checks for changes that another site can trigger: by a link, a request without a body, or JSON sent as plain text.

import type { Context, Sighting, TargetCheck } from '../check.ts'
import { headersOf } from '../http.ts'
import { quietly } from '../probing.ts'
import { get } from '../requests.ts'
import { mayNameAccounts } from '../resets.ts'
import { readCookie, SHORTEST_TOKEN } from '../set-cookie.ts'
import type { Exchange, Identity, Operation, Point } from '../types.ts'
import { askAcross, pageWith, readersOf, seenAt } from './across-sites.ts'
import { freshTexts, isLabel } from './fresh-texts.ts'
import { hasErrors } from './ownership.ts'

const MOST_OPERATIONS = 16
const MOST_LABELS = 2

/** Words for actions that change something, as opposed to looking up, sorting or showing. */
const CHANGES =
  /(^|[^a-z])(add|save|store|updat(e|ing)|set|edit|creat(e|ing)|insert|send|post|transfer|pay|buy|order|checkout|purchase|book|confirm|approve|reject|accept|vote|(un)?like|(un)?follow|(un)?subscribe|rate|enable|publish|assign|promote|grant|upgrade|deposit|withdraw|redeem|apply|join|invite|mark|favou?rite)(?![a-z])/i
/** Preferences of the reader and searches, which change nothing that matters. */
const PREFERS =
  /(^|[^a-z])(lang(uage)?|locale|theme|currency|sort|view|page|order-?by|tab|search|query|keyword|filter|find|q)(?![a-z])/i

const spaced = (text: string): string => text.replace(/([a-z])([A-Z])/g, '$1-$2')

/** The words of a link's path, parameters and actions. */
const wordsOf = ({ path, parameters }: Operation): string => {
  const query = parameters.filter(({ place }) => place === 'query')
  const actions = query.filter(({ name }) => /^(action|act|do|op|cmd|mode|method|type)$/i.test(name))
  return spaced([path, ...query.map(({ name }) => name), ...actions.map(({ value }) => value)].join(' '))
}

type Way = { title: string; how: string; solution: string }

const BY_LINK: Way = {
  title: 'Cross-site request forgery (CSRF) by a link',
  how: 'a link on another site sends this request with the cookies of whoever follows it',
  solution: 'Change state by POST only, with a CSRF token.',
}
const WITHOUT_BODY: Way = {
  title: 'Cross-site request forgery (CSRF)',
  how: 'a form on another site sends this request with the cookies of whoever opens it',
  solution:
    'Require a CSRF token, or reject requests that come from another site according to Origin and Sec-Fetch-Site.',
}
const AS_TEXT: Way = {
  ...WITHOUT_BODY,
  how: 'another site sends this JSON as plain text with the cookies of whoever opens it',
  solution: 'Reject JSON that is not sent as application/json, and require a CSRF token.',
}

/** How another site could trigger the request; null if it could not, or if nothing suggests that the request changes something. */
function wayOf(operation: Operation, context: Context): Way | null {
  const { method, body, isDestructive, isSignIn, source } = operation
  if (isDestructive || isSignIn || !mayNameAccounts(operation, context)) return null
  if (method === 'GET') {
    const words = wordsOf(operation)
    const isAsked = CHANGES.test(words) || (source === 'form' && labelsOf(operation, context).length > 0)
    return isAsked && !PREFERS.test(words) ? BY_LINK : null
  }
  if (method !== 'POST' || operation.kind === 'read') return null
  return body === null ? WITHOUT_BODY : body.type === 'json' ? AS_TEXT : null
}

const labelsOf = (operation: Operation, context: Context): Point[] =>
  context
    .pointsOf(operation)
    .filter((point) => (point.place === 'query' || point.place === 'json') && isLabel(point))
    .filter(({ value }) => value === '' || /[a-z]{3}/i.test(String(value)))
    .slice(0, MOST_LABELS)

export const forgedChanges: TargetCheck = {
  kind: 'target',
  id: 'forged-change',
  title: 'Cross-site request forgery (CSRF)',
  cwes: [352],
  severity: 'MEDIUM',
  solution: 'Change state by POST only, reject JSON that is not sent as application/json, and require a CSRF token.',
  profile: 'BALANCED',
  // nothing else is sent then that could change what pages show
  isLast: true,
  async *probe(context) {
    const [owner] = context.identities
    if (owner === undefined) return
    const told = new Set<string>()
    let left = MOST_OPERATIONS
    for (const operation of context.operations) {
      const way = wayOf(operation, context)
      const place = `${operation.method} ${operation.path}`
      if (way === null || told.has(place) || context.acrossSites(operation.method).length === 0) continue
      const first = context.seen(operation)
      if (!first || first.answer.status >= 400 || hasErrors(first)) continue
      if (left <= 0) return
      left -= 1
      const shown = (await byWord(operation, owner, context)) ?? (await byState(operation, owner, context))
      if (shown === null) continue
      told.add(place)
      yield { ...shown, title: way.title, detail: `${shown.detail}: ${way.how}.`, operation }
    }
  },
}

/** A word is stored and shown, twice, and is not if the request carries no cookies. */
async function byWord(operation: Operation, owner: Identity, context: Context): Promise<Sighting | null> {
  for (const label of labelsOf(operation, context)) {
    const send = async (isNobodys = false) => {
      const { changes, word } = freshTexts(context.pointsOf(operation), label, context)
      const exchange = await askAcross(operation, changes, context, isNobodys)
      if (exchange === null || exchange.answer.status >= 400) return null
      return { exchange, word, page: await pageWith(word, readersOf(operation, exchange, context), owner, context) }
    }
    if (!(await send())?.page) continue
    const again = await send()
    if (!again?.page || (await send(true))?.page) return null
    const detail = `${label.name} was stored and is shown on ${again.page}, twice with other words`
    return { detail, proof: [again.word], exchange: again.exchange, point: label }
  }
  return null
}

/** A page changes only by this request: neither by itself nor by the same request without cookies. */
async function byState(operation: Operation, owner: Identity, context: Context): Promise<Sighting | null> {
  const first = context.seen(operation)
  for (const url of first ? readersOf(operation, first, context) : []) {
    const look = () => seenAt(url, owner, context)
    const before = await look()
    await quietly(context.send(get(context.target.href), { identity: owner }))
    if (before === null || (await look()) !== before) continue
    const exchange = await askAcross(operation, [], context)
    if (exchange === null || exchange.answer.status >= 400 || choosesInCookies(exchange)) return null
    const after = await look()
    if (after === null || after === before || (await look()) !== after) continue
    // whoever is signed out sees other pages too
    if ((await seenAt(url, null, context)) === after) return null
    await askAcross(operation, [], context, true)
    if ((await look()) !== after) return null
    return { detail: `The contents of ${url} were changed by it, and by nothing else`, proof: [url], exchange }
  }
  return null
}

/** Whether the answer only sets a cookie that holds a preference. */
const choosesInCookies = ({ answer }: Exchange): boolean =>
  headersOf(answer, 'set-cookie').some((line) => (readCookie(line)?.value.length ?? SHORTEST_TOKEN) < SHORTEST_TOKEN)
