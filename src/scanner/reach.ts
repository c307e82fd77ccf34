// Asks everything once and follows what the answers lead to: forms behind forms, choices of menus, addresses and parameters that
// nothing names.

import type { Context } from './check.ts'
import { behindPathsOf } from './seed/behind-paths.ts'
import type { Asked } from './seed/crawl.ts'
import type { Seeds } from './seed/index.ts'
import { listedThingsOf } from './seed/listed-things.ts'
import { pathWordsOf } from './seed/path-words.ts'
import { toldAddressesOf } from './seed/told-addresses.ts'
import { isInstead, undescribedOf } from './seed/undescribed-fields.ts'
import { unnamedOf } from './seed/unnamed.ts'
import { usualAddressesOf } from './seed/usual-addresses.ts'
import type { Seen } from './seen.ts'
import type { Operation, OperationSource } from './types.ts'

type Reach = {
  seeds: Seeds
  /** removes operations that the scan may not send */
  askable: (given: readonly Operation[]) => Operation[]
  /** the first pass over some operations */
  askOnce: (given: Operation[]) => Promise<Operation[]>
  seen: Seen
  context: Context
}

/** How many times responses of forms are followed further. */
const MOST_ROUNDS = 3

/** Sources that describe a whole target: if there is one, nothing is guessed. */
const DESCRIBES: ReadonlySet<OperationSource> = new Set(['openapi', 'graphql', 'soap', 'postman'])

/** The operations of the first passes, with values from responses. `first` is not empty, and may be sent. */
export async function reached(
  first: Operation[],
  { seeds, askable, askOnce, seen, context }: Reach,
): Promise<Operation[]> {
  const answered = (operations: readonly Operation[]): Asked[] =>
    operations.flatMap((operation) => {
      const exchange = seen.find(operation)
      return exchange ? [{ operation, exchange }] : []
    })
  let latest = await askOnce(first)
  const operations = [...latest]
  for (let round = 0; round < MOST_ROUNDS && latest.length > 0; round += 1) {
    latest = await askOnce(askable(await seeds.further(answered(latest), context.attempt)))
    operations.push(...latest)
  }
  const isFollowed = operations.some(({ source }) => source === 'crawl')
  if (context.profile !== 'BASIC' || isFollowed)
    operations.push(...(await askOnce(askable(await toldAddressesOf(answered(operations), context)))))
  if (context.profile === 'BASIC') return operations
  const isDescribed = operations.some(({ source }) => DESCRIBES.has(source))
  for (const beside of isDescribed ? [] : [usualAddressesOf, listedThingsOf])
    operations.push(...(await askOnce(askable(await beside(answered(operations), context)))))
  const known = new Set(operations.map(({ key }) => key))
  const told = answered(operations)
  const hidden = [
    ...(await unnamedOf(told, context)),
    ...(await pathWordsOf(told, context)),
    ...(await behindPathsOf(told, context)),
  ]
  const taken = askable(await undescribedOf(told, context))
  const further = await askOnce([...askable(hidden.filter(({ key }) => !known.has(key))), ...taken])
  return [...operations.filter((operation) => !isInstead(operation, taken)), ...further]
}
