// Checks whether forged, altered or expired tokens are accepted.

import { generateKeyPairSync, sign } from 'node:crypto'
import type { Context, Sighting, TargetCheck } from '../check.ts'
import { likenessOf } from '../compare.ts'
import type { Exchange, HttpRequest, Identity, Operation } from '../types.ts'
import { commonKeys } from './common-keys.ts'
import { answerFor, hasErrors, isFine } from './ownership.ts'
import { publicKeys } from './public-keys.ts'
import {
  algorithmOf,
  type Carried,
  type Claims,
  claimsOf,
  headerOfToken,
  keyOf,
  signed,
  tokensIn,
  unsigned,
  withToken,
} from './tokens.ts'

/** An operation that only a valid token opens, with its answer and the identity. */
type Lock = { operation: Operation; open: Exchange; carried: Carried; header: Claims; claims: Claims }

const MOST_TRIED = 12

/**
 * The operations to try tokens on, proved by what is no token being refused: of each token that the identities carry one that
 * checks its signature, and one that does not.
 */
async function locksOf(context: Context): Promise<{ lock: Lock; isUnchecked: boolean; exchange: Exchange }[]> {
  const locks: { lock: Lock; isUnchecked: boolean; exchange: Exchange }[] = []
  const tried = new Map<string, number>()
  for (const identity of context.identities.slice(0, 2)) {
    for (const operation of context.operations.filter(({ kind }) => kind === 'read')) {
      const open = context.seen(operation, identity)
      if (!isFine(open) || hasErrors(open)) continue
      for (const carried of tokensIn(open.request)) {
        const spot = `${carried.place} ${carried.name} ${algorithmName(carried)}`
        const count = tried.get(spot) ?? 0
        const known = locks.filter(
          ({ lock }) => lock.carried.place === carried.place && lock.carried.name === carried.name,
        )
        if (known.some(({ isUnchecked }) => isUnchecked) || count >= MOST_TRIED) continue
        // pages that everybody gets would use up the tries
        if (await isForAnybody(operation, open, carried, context)) continue
        tried.set(spot, count + 1)
        const found = await lockOf(operation, open, carried, identity, context)
        if (found !== null && (found.isUnchecked || known.length === 0)) locks.push(found)
      }
    }
  }
  return locks
}

const algorithmName = ({ text }: Carried) => String(headerOfToken(text)?.alg)

async function isForAnybody(operation: Operation, open: Exchange, carried: Carried, context: Context) {
  // in a body it goes along whoever asks
  if (carried.place === 'body') return false
  const nobodys = await answerFor(context, operation, null)
  return nobodys === null || opens(open, nobodys)
}

async function lockOf(operation: Operation, open: Exchange, carried: Carried, identity: Identity, context: Context) {
  const header = headerOfToken(carried.text)
  const claims = claimsOf(carried.text)
  if (header === null || claims === null) return null
  // The token alone has to open it, and what is no token must not.
  // The scan itself makes lists longer than they were at first.
  const now = (await context.attempt(operation, [], { identity })) ?? open
  const fresh = now.request
  const token = tokensIn(fresh).find(({ place, name }) => place === carried.place && name === carried.name) ?? carried
  const good = await sendAlone(context, operation, fresh)
  if (good === null || !isFine(good) || !opens(now, good)) return null
  const lock = { operation, open: good, carried: token, header, claims: claimsOf(token.text) ?? claims }
  const rubbish = await sendAlone(
    context,
    operation,
    withToken(fresh, token, `${context.word()}.${context.word()}.${context.word()}`),
  )
  if (rubbish === null || opens(good, rubbish)) return null
  const altered = await tryToken(lock, alteredToken(token.text), context)
  return altered === null
    ? { lock, isUnchecked: false, exchange: good }
    : { lock, isUnchecked: true, exchange: altered }
}

const opens = (open: Exchange, other: Exchange): boolean =>
  isFine(other) && !hasErrors(other) && likenessOf(open, other) > 0.85

const sendAlone = async (context: Context, operation: Operation, request: HttpRequest): Promise<Exchange | null> =>
  context.send(request, { identity: null, operation }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'SendFailed') return null
    throw error
  })

/** The answer if the token is accepted; null if it is refused. */
async function tryToken({ operation, open, carried }: Lock, token: string, context: Context): Promise<Exchange | null> {
  const exchange = await sendAlone(context, operation, withToken(open.request, carried, token))
  return exchange !== null && opens(open, exchange) ? exchange : null
}

/** The token with an invalid signature of the same length and form. */
function alteredToken(token: string): string {
  const cut = token.lastIndexOf('.')
  const signature = token.slice(cut + 1)
  return `${token.slice(0, cut + 1)}${[...signature].map((letter) => (letter === 'A' ? 'B' : 'A')).join('')}`
}

/** The claims with their times shifted, so that the token expired an hour ago. */
const expired = (claims: Claims): Claims => {
  const now = Math.floor(Date.now() / 1000)
  return { ...claims, iat: now - 7200, nbf: now - 7200, exp: now - 3600 }
}

/** A token signed with a key of ours that comes along in its header (RFC 7515, 4.1.3). */
function selfMade({ header, claims }: Lock): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const head = { ...header, alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) }
  const input = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`
}

type Forgery = { detail: string; token: string }

async function forgeries(lock: Lock, context: Context): Promise<{ kind: string; tries: Forgery[] }[]> {
  const { header, claims, carried } = lock
  const [head = '', payload = ''] = carried.text.split('.')
  const none = ['none', 'None', 'NONE', 'nOnE'].map((name) => ({
    detail: `A token with the algorithm ${name} and no signature is accepted.`,
    token: unsigned(header, claims, name),
  }))
  const cut = ['.', ''].map((end) => ({
    detail: 'A token whose signature was removed is accepted.',
    token: `${head}.${payload}${end}`,
  }))
  const isPublic = /^(RS|ES|PS)\d/.test(String(header.alg))
  const keys = isPublic ? await publicKeys(context) : []
  const confused = keys.map((key) => ({
    detail: 'A token signed with the public key as a shared key is accepted (key confusion).',
    token: signed(header, claims, key),
  }))
  const kid = ['../../../../../../../../dev/null', '/dev/null'].map((place) => ({
    detail: `A token that names ${place} as its key and is signed with the empty key is accepted.`,
    token: signed({ ...header, kid: place }, claims, ''),
  }))
  const stated = {
    detail: "A UNION in the token's kid chooses the key that its signature is verified with.",
    token: signed({ ...header, kid: "x' UNION SELECT 'merlon" + "'-- -" }, claims, 'merlon'),
  }
  const own = {
    detail: 'A token that carries its own signing key in the header is accepted.',
    token: selfMade(lock),
  }
  return [
    { kind: 'none', tries: none },
    { kind: 'cut', tries: cut },
    { kind: 'confusion', tries: confused },
    { kind: 'kid', tries: [...kid, stated] },
    { kind: 'own key', tries: [own] },
  ]
}

export const tokenForgery: TargetCheck = {
  kind: 'target',
  id: 'token-forgery',
  title: 'Forged token accepted',
  cwes: [347],
  severity: 'CRITICAL',
  solution:
    'Verify every token with one algorithm and one key that the service chooses itself; trust nothing in the token before that.',
  profile: 'BASIC',
  async *probe(context) {
    for (const { lock, isUnchecked, exchange } of await locksOf(context)) {
      yield* probeLock(lock, isUnchecked, exchange, context)
    }
  },
}

async function* probeLock(
  lock: Lock,
  isUnchecked: boolean,
  exchange: Exchange,
  context: Context,
): AsyncGenerator<Sighting> {
  const { operation, carried } = lock
  const told = (detail: string, seen: Exchange, kind: string, more: Partial<Sighting> = {}): Sighting => ({
    detail,
    proof: [seen.text.slice(0, 60)],
    exchange: seen,
    operation,
    cause: `${carried.place} ${carried.name} ${kind}`,
    ...more,
  })
  let forge: ((claims: Claims) => string) | null = null

  if (isUnchecked) {
    yield told('A token with an invalid signature is accepted: signatures are not verified.', exchange, 'unchecked')
    const encodedHead = carried.text.split('.')[0] ?? ''
    forge = (claims) => `${encodedHead}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'A'.repeat(43)}`
  } else {
    for (const { kind, tries } of await forgeries(lock, context)) {
      for (const { detail, token } of tries) {
        const seen = await tryToken(lock, token, context)
        if (seen === null) continue
        yield told(detail, seen, kind)
        const header = headerOfToken(token) ?? {}
        if (kind === 'none') forge ??= (claims) => unsigned(header, claims, String(header.alg))
        break
      }
    }
  }

  const algorithm = algorithmOf(carried.text)
  const key = keyOf(carried.text, commonKeys)
  if (key !== null && algorithm !== null) forge ??= (claims) => signed(lock.header, claims, key, algorithm)
  if (forge === null || typeof lock.claims.exp !== 'number') return
  const late = await tryToken(lock, forge(expired(lock.claims)), context)
  if (late === null) return
  yield told('A token that expired an hour ago is accepted.', late, 'expired', {
    cwes: [613],
    severity: 'MEDIUM',
    title: 'Expired token accepted',
  })
}
