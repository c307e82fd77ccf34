// What the orders of versions share: the comparison of numbers of any length, and of lists.

export type Order = -1 | 0 | 1

/** The order of two versions; null if one of them is not a version of this scheme. */
export type Compare = (left: string, right: string) => Order | null

export const orderOf = (difference: number): Order => (difference < 0 ? -1 : difference > 0 ? 1 : 0)

/** Two runs of digits, however long. */
export function compareDigits(left: string, right: string): Order {
  const [one, other] = [left.replace(/^0{1,200}(?=\d)/, ''), right.replace(/^0{1,200}(?=\d)/, '')]
  if (one.length !== other.length) return orderOf(one.length - other.length)
  return one < other ? -1 : one > other ? 1 : 0
}

export const compareText = (left: string, right: string): Order => (left < right ? -1 : left > right ? 1 : 0)

/** The first difference of two lists; where one ends, what is left of the other is held against `filler`. */
export function compareLists<T>(
  left: readonly T[],
  right: readonly T[],
  filler: T,
  compare: (one: T, other: T) => Order,
): Order {
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const order = compare(left[at] ?? filler, right[at] ?? filler)
    if (order !== 0) return order
  }
  return 0
}
