// Versions of gems, as Gem::Version documents them: a letter makes a pre-release.

import { type Compare, compareDigits, compareLists, compareText, type Order } from './order.ts'

function read(text: string): string[] | null {
  const version = text.trim()
  if (!/^\d[0-9A-Za-z.-]{0,300}$/.test(version)) return null
  return version.replaceAll('-', '.pre.').match(/\d+|[A-Za-z]+/g)
}

function compareSegments(left: string, right: string): Order {
  const [isNumber, isOtherNumber] = [/^\d/.test(left), /^\d/.test(right)]
  if (isNumber !== isOtherNumber) return isNumber ? 1 : -1
  return isNumber ? compareDigits(left, right) : compareText(left, right)
}

export const compareRuby: Compare = (left, right) => {
  const [one, other] = [read(left), read(right)]
  return one === null || other === null ? null : compareLists(one, other, '0', compareSegments)
}
