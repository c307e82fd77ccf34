// Semantic versions (semver.org, section 11), as npm, Cargo and Go modules order them; Go's start with a v.

import { type Compare, compareDigits, compareLists, compareText, type Order } from './order.ts'

type Semver = { core: string[]; pre: string[] }

function read(text: string): Semver | null {
  const parts =
    /^[v=\s]{0,3}(\d{1,100}(?:\.\d{1,100}){0,3})(?:-([0-9A-Za-z.-]{1,200}))?(?:\+[0-9A-Za-z.-]{0,200})?$/.exec(
      text.trim(),
    )
  if (parts?.[1] === undefined) return null
  return { core: parts[1].split('.'), pre: parts[2]?.split('.') ?? [] }
}

/** Identifiers of digits come before others; of two lists that begin alike the shorter one. */
export function compareIdentifiers(left: readonly string[], right: readonly string[]): Order {
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at], right[at]]
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    const order = isNumber ? compareDigits(one, other) : compareText(one, other)
    if (order !== 0) return order
  }
  return 0
}

/** A release comes after what was before it. */
function comparePre(left: readonly string[], right: readonly string[]): Order {
  if (left.length === 0 || right.length === 0) return left.length === right.length ? 0 : left.length === 0 ? 1 : -1
  return compareIdentifiers(left, right)
}

export const compareSemver: Compare = (left, right) => {
  const [one, other] = [read(left), read(right)]
  if (one === null || other === null) return null
  return compareLists(one.core, other.core, '0', compareDigits) || comparePre(one.pre, other.pre)
}

/** NuGet's versions have up to four numbers and are case-insensitive. */
export const compareNuget: Compare = (left, right) => compareSemver(left.toLowerCase(), right.toLowerCase())
