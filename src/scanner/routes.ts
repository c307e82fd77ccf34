// Parameters that select the page: a flaw in one of them is reported once, whichever page it selects.

import type { Operation, Point } from './types.ts'

/** Operations of one path from which a parameter that all of them have chooses what they do, and so many different words. */
const LEAST_OPERATIONS = 6
const LEAST_WORDS = 3

/** What such a parameter of a path is known by; null for any other one, which each operation has for itself. */
export function routeOf({ origin, path }: Operation, point: Point, operations: readonly Operation[]): string | null {
  if (point.place !== 'query') return null
  const words = operations
    .filter((one) => one.origin === origin && one.path === path)
    .flatMap(({ parameters }) => parameters.filter(({ place, name }) => place === 'query' && name === point.name))
    .map(({ value }) => value)
    .filter((value) => /^[a-z][\w./-]{1,80}$/i.test(value))
  const isRoute = words.length >= LEAST_OPERATIONS && new Set(words).size >= LEAST_WORDS
  return isRoute ? `${origin}${path} ?${point.name}` : null
}
