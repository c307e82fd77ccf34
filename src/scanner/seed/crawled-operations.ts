// The operations that the pages of a target lead to: one for each key, with the values that any link to it has.

import { ownCopy } from '../own-copy.ts'
import { isInScope } from '../scope.ts'
import type { Operation, Scope } from '../types.ts'

const MOST_OPERATIONS = 1_500
/** The most operations kept of a menu that appears on every page. */
const MOST_SAME_MENUS = 3

type CrawledOperations = {
  /** Drops what is out of scope or beyond a limit. */
  keep: (operation: Operation | null) => void
  has: (key: string) => boolean
  count: () => number
  all: () => Operation[]
}

export function openOperations(scope: Scope): CrawledOperations {
  const operations = new Map<string, Operation>()
  /** on how many pages each menu stands */
  const menus = new Map<string, number>()

  const isOneMenuTooMany = ({ method, menu }: Operation): boolean => {
    if (!menu) return false
    const name = `${method} ${menu.field} ${menu.values.length}`
    const known = menus.get(name) ?? 0
    if (known < MOST_SAME_MENUS) menus.set(name, known + 1)
    return known >= MOST_SAME_MENUS
  }

  return {
    keep(operation) {
      if (!operation) return
      const known = operations.get(operation.key)
      if (known) return void operations.set(operation.key, filledFrom(known, operation))
      if (operations.size >= MOST_OPERATIONS || isOneMenuTooMany(operation)) return
      if (isInScope(operation.origin + operation.path.replace(/[{}]/g, ''), scope))
        operations.set(operation.key, ownCopy(operation))
    },
    has: (key) => operations.has(key),
    count: () => operations.size,
    all: () => [...operations.values()],
  }
}

/** An operation, with missing values taken from another link to it. */
function filledFrom(known: Operation, other: Operation): Operation {
  if (known.source !== 'crawl' || known.parameters.every(({ value }) => value !== '')) return known
  const parameters = known.parameters.map((parameter) => {
    const same = other.parameters.find(({ place, name }) => place === parameter.place && name === parameter.name)
    return parameter.value === '' && same ? { ...parameter, value: same.value } : parameter
  })
  return ownCopy({ ...known, parameters })
}
