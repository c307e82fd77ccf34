// Checks offline for tokens whose shared key the target's own responses contain, or that is composed of related words.

import { setImmediate as pause } from 'node:timers/promises'
import type { Context, TargetCheck } from '../check.ts'
import { isList, isObject, readJson } from '../json-leaves.ts'
import type { Exchange, Json } from '../types.ts'
import { builtKeys } from './built-keys.ts'
import { tokensSeen } from './token-digits.ts'
import { keyOf } from './tokens.ts'

/** How many texts of answers are tried as keys, and their greatest length. */
const MOST_TOLD = 20_000
const SHORTEST = 4
const LONGEST = 300
/** How many keys are tried before other work gets its turn. */
const SLICE = 1_000

export const tokenToldKeys: TargetCheck = {
  kind: 'target',
  id: 'token-key-told',
  title: 'Token signing key exposed',
  cwes: [522, 200],
  severity: 'CRITICAL',
  solution: 'Replace the key with a random one of at least 32 bytes, and keep it out of responses.',
  profile: 'BALANCED',
  async *probe(context) {
    for (const { token, exchange } of tokensSeen(context)) {
      const operation = context.operations.find(({ key }) => key === exchange.operation)
      const built = await firstOf(token, builtKeys(), context.signal)
      if (built !== null) {
        yield {
          cwes: [1391],
          title: 'Weak token signing key',
          detail: `A token is signed with the shared key "${built}", which is made of words that are common in keys.`,
          proof: [token],
          exchange,
          operation,
          cause: `key ${built}`,
        }
      }
      const told = toldIn(context)
      const key = await firstOf(token, told.keys(), context.signal)
      const telling = key === null ? undefined : told.get(key)
      if (key === null || telling === undefined) continue
      yield {
        detail: 'A response contains the shared key that a token is signed with: whoever reads it can forge any token.',
        proof: [key],
        exchange: telling,
        operation: context.operations.find((one) => one.key === telling.operation),
        cause: `told ${key}`,
      }
    }
  },
}

async function firstOf(token: string, keys: Iterable<string>, signal: AbortSignal): Promise<string | null> {
  let slice: string[] = []
  const found = () => keyOf(token, slice)
  for (const key of keys) {
    if (signal.aborted) return null
    slice.push(key)
    if (slice.length < SLICE) continue
    const one = found()
    if (one !== null) return one
    slice = []
    await pause()
  }
  return found()
}

/** Texts that answers to normal requests have as values, and the first answer that has each. */
function toldIn(context: Context): Map<string, Exchange> {
  const told = new Map<string, Exchange>()
  const walk = (value: Json, exchange: Exchange, depth: number): void => {
    if (told.size >= MOST_TOLD || depth > 10) return
    if (isList(value)) for (const one of value.slice(0, 100)) walk(one, exchange, depth + 1)
    else if (isObject(value)) for (const one of Object.values(value)) walk(one, exchange, depth + 1)
    else if (typeof value === 'string' && value.length >= SHORTEST && value.length <= LONGEST && !told.has(value))
      told.set(value, exchange)
  }
  const answers = [...context.identities, null].flatMap((identity) => [
    ...(identity === null ? [] : [context.signedIn(identity)]),
    ...context.operations.map((operation) => context.seen(operation, identity)),
  ])
  for (const exchange of answers) {
    const json = exchange ? readJson(exchange.text) : undefined
    if (exchange && json !== undefined) walk(json, exchange, 0)
  }
  return told
}
