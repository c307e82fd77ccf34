// The measure of a part of an operation, and how the measures of several parts add up.

/**
 * The measure of a selection. `itemCost` is the part of the cost that is multiplied by the page size of the enclosing field (everything under
 * `collection`). It is separate so that a fragment can be measured once, whatever the page sizes of the fields in which it is spread.
 */
export type Measure = {
  depth: number
  introspectionDepth: number
  introspectionLists: number
  aliases: number
  cost: number
  itemCost: number
}

/** Every number stops here, so that nothing overflows. */
export const most = 1_000_000_000

export function nothing(): Measure {
  return { depth: 0, introspectionDepth: 0, introspectionLists: 0, aliases: 0, cost: 0, itemCost: 0 }
}

export function add(total: Measure, part: Measure): void {
  total.depth = Math.max(total.depth, part.depth)
  total.introspectionDepth = Math.max(total.introspectionDepth, part.introspectionDepth)
  total.introspectionLists = Math.max(total.introspectionLists, part.introspectionLists)
  total.aliases = Math.min(total.aliases + part.aliases, most)
  total.cost = sum(total.cost, part.cost)
  total.itemCost = sum(total.itemCost, part.itemCost)
}

export function dearest(alternatives: Iterable<Measure>): Measure {
  const total = nothing()
  for (const alternative of alternatives) {
    const { cost, itemCost } = total
    add(total, alternative)
    total.cost = Math.max(cost, alternative.cost)
    total.itemCost = Math.max(itemCost, alternative.itemCost)
  }
  return total
}

export function sum(...costs: number[]): number {
  let total = 0
  for (const cost of costs) total += cost
  return Math.min(total, most)
}
