// Sends operations for checks: with replaced values, and twice with their own values to learn what a normal response is.

import type { Baseline, Context } from './check.ts'
import { likenessOf } from './compare.ts'
import { freshTokens } from './fresh-tokens.ts'
import { identityOf, type Laboratory } from './laboratory.ts'
import { SendFailed } from './outcome.ts'
import { requestOf, textOf } from './points.ts'
import type { Operation } from './types.ts'

export type Asking = Pick<Context, 'attempt' | 'baseline'> & {
  /** The operation's baseline is no longer needed. */
  forget: (operation: Operation) => void
}

export function openAsking({ send, isGivenUp }: Laboratory): Asking {
  const baselines = new Map<string, Promise<Baseline | null>>()

  const attempt: Context['attempt'] = async (operation, changes = [], more = {}) => {
    if (isGivenUp(operation.key)) return null
    try {
      const sender = identityOf({ ...more, operation })
      const tokens = operation.tokens ? await freshTokens(operation, changes, send, sender) : []
      const values = changes.map(({ value }) => textOf(value))
      return await send(requestOf(operation, [...changes, ...tokens]), { ...more, operation, values })
    } catch (error) {
      if (error instanceof SendFailed) return null
      throw error
    }
  }

  const asked = async (operation: Operation): Promise<Baseline | null> => {
    const exchange = await attempt(operation)
    const again = exchange ? await attempt(operation) : null
    return exchange && again ? { exchange, again, likeness: likenessOf(exchange, again) } : null
  }

  return {
    attempt,
    baseline(operation) {
      const known = baselines.get(operation.key)
      if (known) return known
      const made = asked(operation)
      baselines.set(operation.key, made)
      // no response while the target is silent does not mean none later
      void made.then((one) => one ?? baselines.delete(operation.key)).catch(() => {})
      return made
    },
    forget: ({ key }) => void baselines.delete(key),
  }
}
