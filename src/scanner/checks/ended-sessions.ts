// Checks whether a session still opens what it opened before its owner signed out; a login of the check's own is signed out.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Sighting, TargetCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import { withoutSecrets } from '../evidence.ts'
import { freshTokens } from '../fresh-tokens.ts'
import { readPage } from '../html.ts'
import { byForm } from '../login/form.ts'
import { byToken } from '../login/token.ts'
import { quietly } from '../probing.ts'
import { follow, type Send } from '../requests.ts'
import { isInScope } from '../scope.ts'
import { isSafe, signsOut } from '../seed/names.ts'
import { openSession, type Session } from '../session.ts'
import type { Exchange, HttpRequest, Identity, Operation } from '../types.ts'
import { answerFor, hasErrors, isFine } from './ownership.ts'
import { isRefusing } from './refused-places.ts'
import { isPage } from './shown-pages.ts'

const MOST_WAYS_OUT = 3
const MOST_PLACES = 10
/** Milliseconds after the sign-out: what remembers sessions may take a moment to forget one. */
const PAUSE = 3_000
/** Milliseconds to the renewal of a token that is left to end by itself, as one of a quarter of an hour is. */
const SHORT_LIVED = 12 * 60_000
const SAME = 0.9

export const endedSessions: TargetCheck = {
  kind: 'target',
  // some targets sign all sessions of an account out
  isLast: true,
  id: 'session-after-sign-out',
  title: 'Session not invalidated at sign-out',
  cwes: [613],
  severity: 'MEDIUM',
  solution:
    'Invalidate the session on the server at sign-out. Reject tokens that were signed out until they expire, or let them live for minutes only.',
  profile: 'BALANCED',
  async *probe(context) {
    // without permission to destroy there are none among the operations
    const waysOut = context.operations.filter(({ isDestructive, key }) => isDestructive && signsOut(key))
    const identity = context.identities.find(({ login }) => login !== undefined)
    if (identity === undefined) return
    for (const wayOut of waysOut.slice(0, MOST_WAYS_OUT)) {
      const sighting = await signedOut(wayOut, identity, context)
      if (sighting === null) continue
      yield sighting
      return
    }
  },
}

async function signedOut(wayOut: Operation, identity: Identity, context: Context): Promise<Sighting | null> {
  const visitor = openSession(identity)
  const ask = (request: HttpRequest) => context.send(request, { identity: null, isSignIn: true })
  const send: Send = async (request, options = {}) => {
    const exchange = await ask(options.identity === null ? request : visitor.dress(request))
    visitor.learn(exchange, { isSignIn: true })
    return exchange
  }
  if (!(await signsIn(visitor, send, context))) return null
  const secrets = visitor.secrets()
  const place = await placeOf(visitor, identity, ask, context)
  if (place === null) return null
  const { opened, plain } = place
  // the request as it was sent, with the credentials from before
  const { request } = opened

  const tokens = await freshTokens(wayOut, [], send, identity)
  const answer = await quietly(follow(context.requestOf(wayOut, tokens), send, {}))
  if (answer === null || !(await isOut(answer, visitor, plain, ask))) return null
  await sleep(PAUSE, undefined, { signal: context.signal }).catch(() => {})
  const [again, nobodys, still] = [await quietly(ask(request)), await quietly(ask(plain)), await quietly(ask(request))]
  if (nobodys === null || !isRefusing(nobodys)) return null
  if (![again, still].every((one) => isOpened(one) && likenessOf(one, opened) >= SAME)) return null
  return {
    detail: `The session of ${identity.name} opened ${opened.operation || plain.url} before ${wayOut.key}, and still opens it ${PAUSE / 1000} seconds afterwards, twice; without a session that is refused (${nobodys.answer.status}).`,
    proof: [opened.text.slice(0, 80)],
    exchange: masked(still ?? opened, secrets),
    operation: wayOut,
  }
}

/** Signs in anew, beside the scan's own sessions. */
async function signsIn(visitor: Session, send: Send, { scope }: Context): Promise<boolean> {
  const { login } = visitor.identity
  if (login?.type === 'FORM') {
    if (login.totp || !isInScope(login.url, scope)) return false
    return (await byForm(login, visitor, send, {}, null)) === null
  }
  if (login === undefined || !isInScope(login.request.url, scope)) return false
  const isIn = await byToken(login, visitor, send, {})
  return isIn && (visitor.renewal === null || visitor.renewal.at - performance.now() > SHORT_LIVED)
}

/** The first request that the visitor is answered and nobody else is. */
async function placeOf(
  visitor: Session,
  identity: Identity,
  ask: (request: HttpRequest) => Promise<Exchange>,
  context: Context,
): Promise<{ opened: Exchange; plain: HttpRequest } | null> {
  const seen = context.operations.filter((one) => isSafe(one) && isOpened(context.seen(one, identity) ?? null))
  for (const operation of seen.slice(0, MOST_PLACES)) {
    const nobodys = await answerFor(context, operation, null)
    if (nobodys === null || !isRefusing(nobodys)) continue
    const plain = context.requestOf(operation)
    const opened = await quietly(ask(visitor.dress(plain)))
    if (isOpened(opened)) return { opened: { ...opened, operation: operation.key }, plain }
  }
  return null
}

const isOpened = (exchange: Exchange | null): exchange is Exchange =>
  isFine(exchange) && !hasErrors(exchange) && !isRefusing(exchange)

/**
 * Whether the visitor is signed out as far as its own program knows: its cookies open nothing more, or it was told so and throws its
 * token away. A page that asks once more has signed nobody out.
 */
async function isOut(
  answer: Exchange,
  visitor: Session,
  plain: HttpRequest,
  ask: (request: HttpRequest) => Promise<Exchange>,
): Promise<boolean> {
  if (visitor.gained.length > 0) {
    return isFine(answer) && !hasErrors(answer) && !(isPage(answer) && readPage(answer.text).forms.length > 0)
  }
  const now = answer.answer.status < 400 ? await quietly(ask(visitor.dress(plain))) : null
  return now !== null && isRefusing(now)
}

/** The visitor's credentials are none of the scan's sessions, whose evidence is masked. */
function masked({ request, text, ...rest }: Exchange, hidden: readonly string[]): Exchange {
  const mask = (given: string) => withoutSecrets(given, { hidden, plain: [] })
  const headers = request.headers.map(([name, value]) => [name, mask(value)] as const)
  return { ...rest, text: mask(text), request: { ...request, headers } }
}
