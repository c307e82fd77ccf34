// The pairs of identities for access checks: each as the owner, against each other one.

import type { Context } from '../check.ts'
import type { Identity } from '../types.ts'
import { type Holdings, holdingsOf } from './ownership.ts'

export type Pair = { owner: Identity; stranger: Identity; own: Holdings; others: readonly Holdings[] }

/** Each identity as owner against each other one, the first two of them; the others' holdings and the public's beside. */
export async function pairsOf(context: Context): Promise<Pair[]> {
  const [first, second] = context.identities
  if (first === undefined || second === undefined) return []
  const [one, two, nobody] = [
    await holdingsOf(context, first),
    await holdingsOf(context, second),
    await holdingsOf(context, null),
  ]
  return [
    { owner: first, stranger: second, own: one, others: [two, nobody] },
    { owner: second, stranger: first, own: two, others: [one, nobody] },
  ]
}
