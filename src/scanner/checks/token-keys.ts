// Checks offline for tokens with a guessable key or without an expiry.

import type { PassiveCheck } from '../check.ts'
import type { Exchange } from '../types.ts'
import { commonKeys } from './common-keys.ts'
import { claimsOf, headerOfToken, keyOf, tokensIn, tokensOf } from './tokens.ts'

/** The start of every token: `{"` in Base64. */
const START = 'eyJ'

/** How many tokens are remembered as already tried. */
const MOST_KNOWN = 500

const judged = new WeakMap<object, Set<string>>()

/** The tokens of an exchange that this scan has not tried yet. */
function newTokens(scan: object, exchange: Exchange): string[] {
  const known = judged.get(scan) ?? new Set<string>()
  judged.set(scan, known)
  if (known.size >= MOST_KNOWN || !mayHaveTokens(exchange)) return []
  const sent = tokensIn(exchange.request).map(({ text }) => text)
  const headers = exchange.answer.headers.flatMap(([name, value]) =>
    name === 'set-cookie' || name === 'authorization' ? tokensOf(value) : [],
  )
  const fresh = [...sent, ...headers, ...ownTokens(exchange)].filter((token) => !known.has(token))
  for (const token of fresh) if (known.size < MOST_KNOWN) known.add(token)
  return known.size < MOST_KNOWN ? [...new Set(fresh)] : []
}

const mayHaveTokens = ({ request, answer, text }: Exchange): boolean =>
  text.includes(START) ||
  request.url.includes(START) ||
  (request.body?.includes(START) ?? false) ||
  request.headers.some(([, value]) => value.includes(START)) ||
  answer.headers.some(([, value]) => value.includes(START))

/** Tokens that are a whole answer, or a whole value of JSON; those of pages, of descriptions and within sentences are examples as often as not. */
const ownTokens = ({ text }: Exchange): string[] =>
  text.startsWith(START) && text.length < LONGEST_TOKEN
    ? tokensOf(text).filter((token) => token === text.trim())
    : tokensInJson(text)

const LONGEST_TOKEN = 20_000

const tokensInJson = (text: string): string[] =>
  /^\s*[[{"]/.test(text.slice(0, 100)) && !/"(openapi|swagger|__schema)"\s*:/.test(text.slice(0, 2_000))
    ? tokensOf(text).filter((token) => text.includes(`"${token}"`) || text.includes(`"Bearer ${token}"`))
    : []

/** Claims that say whose the token is. */
const SOMEBODY = ['sub', 'username', 'user', 'email', 'id', 'user_id', 'userId', 'userid', 'uid']

export const tokenKeys: PassiveCheck = {
  kind: 'passive',
  id: 'token-key',
  title: 'Weak token signing key',
  cwes: [1391],
  severity: 'CRITICAL',
  solution:
    'Replace the key with a random one of at least 32 bytes: every token that is signed with the present one can be forged.',
  profile: 'BASIC',
  readsRequest: true,
  *look(exchange, context) {
    for (const token of newTokens(context, exchange)) {
      const sent = tokensIn(exchange.request).some(({ text }) => text === token)
      // What the scanner forged itself says nothing of the target.
      if (sent && exchange.identity === null) continue
      const key = keyOf(token, commonKeys)
      if (key !== null) {
        yield {
          detail: `A token is signed with the shared key "${key}", one of ${commonKeys.length} common keys.`,
          proof: [token],
          exchange,
          cause: `key ${key}`,
        }
      }
      const claims = claimsOf(token)
      if (claims !== null && !sent && /^none$/i.test(String(headerOfToken(token)?.alg))) {
        yield {
          detail: 'The target issues a token without a signature: whoever reads it can forge another.',
          proof: [token],
          exchange,
          cause: 'unsigned',
          cwes: [347],
          severity: 'MEDIUM',
          title: 'Unsigned token',
        }
      }
      if (claims !== null && claims.exp === undefined && SOMEBODY.some((name) => claims[name] !== undefined)) {
        yield {
          detail: 'A token identifies a user and has no expiry.',
          proof: [token],
          exchange,
          cause: 'no end',
          cwes: [613],
          severity: 'MEDIUM',
          title: 'Token without expiry',
        }
      }
    }
  },
}
