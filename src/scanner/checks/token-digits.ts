// Checks offline for tokens whose shared key is a short number, alongside other work.

import { createHmac } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { Context, TargetCheck } from '../check.ts'
import type { Exchange } from '../types.ts'
import { commonKeys } from './common-keys.ts'
import { hashOf, keyOf, tokensIn, tokensOf } from './tokens.ts'

/** The most digits of a key; a million candidates take seconds. */
const LONGEST = 6
/** How many tokens are tried, each of another kind. */
const MOST_TOKENS = 3
const SLICE = 2_000

export const tokenDigits: TargetCheck = {
  kind: 'target',
  id: 'token-key-digits',
  title: 'Weak token signing key',
  cwes: [1391],
  severity: 'CRITICAL',
  solution:
    'Replace the key with a random one of at least 32 bytes: every token that is signed with the present one can be forged.',
  profile: 'BALANCED',
  async *probe(context) {
    for (const { token, exchange } of tokensSeen(context)) {
      const key = await digitsOf(token, context.signal)
      if (key === null) continue
      yield {
        detail: `A token is signed with the shared key "${key}", a number of ${key.length} digits.`,
        proof: [token],
        exchange,
        operation: context.operations.find((operation) => operation.key === exchange.operation),
        cause: `key ${key}`,
      }
    }
  },
}

/** One token of each kind that requests carried or answers gave, and where it was seen; none with a common key. */
export function tokensSeen(context: Context): { token: string; exchange: Exchange }[] {
  const found = new Map<string, { token: string; exchange: Exchange }>()
  for (const identity of context.identities.length > 0 ? context.identities : [undefined]) {
    for (const operation of context.operations) {
      const exchange = context.seen(operation, identity)
      if (exchange === undefined) continue
      const answered = /^\s*[[{"]/.test(exchange.text.slice(0, 100)) ? tokensOf(exchange.text) : []
      const carried = tokensIn(exchange.request)
      for (const token of carried.map(({ text }) => text)) keep(`carried ${carried[0]?.name}`, token, exchange)
      for (const token of answered) keep(`answered ${operation.key}`, token, exchange)
    }
  }
  return [...found.values()].slice(0, MOST_TOKENS)

  function keep(kind: string, token: string, exchange: Exchange) {
    if (hashOf(token) !== null && !found.has(kind) && keyOf(token, commonKeys) === null)
      found.set(kind, { token, exchange })
  }
}

/** The number that signed the token, with its leading zeros; null if no number did. */
export async function digitsOf(token: string, signal: AbortSignal): Promise<string | null> {
  const hash = hashOf(token)
  if (hash === null) return null
  const cut = token.lastIndexOf('.')
  const input = token.slice(0, cut)
  const signature = Buffer.from(token.slice(cut + 1), 'base64url')
  for (let length = 1; length <= LONGEST; length += 1) {
    for (let number = 0; number < 10 ** length; number += 1) {
      if (number % SLICE === 0) {
        await pause()
        if (signal.aborted) return null
      }
      const key = String(number).padStart(length, '0')
      if (createHmac(hash, key).update(input).digest().equals(signature)) return key
    }
  }
  return null
}
