// Versions of Composer packages, normalised and then ordered as by PHP's version_compare.

import { type Compare, compareDigits, compareLists, type Order, orderOf } from './order.ts'

const ORDER = ['dev', 'alpha', 'beta', 'rc', '#', 'patch']
const SHORT: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', c: 'rc', p: 'patch', pl: 'patch' }

function read(text: string): string[] | null {
  const [version = ''] = text.trim().toLowerCase().replace(/^v/, '').split('+')
  if (!/^\d[0-9a-z._-]{0,200}$/.test(version)) return null
  const words = (version.match(/\d+|[a-z]+/g) ?? []).filter((word) => word !== 'stable')
  return words.map((word) => SHORT[word] ?? word)
}

const rankOf = (word: string): number => {
  if (/^\d/.test(word)) return ORDER.indexOf('#')
  const at = ORDER.indexOf(word)
  return at < 0 ? -1 : at
}

function compareWords(left: string, right: string): Order {
  const [rank, otherRank] = [rankOf(left), rankOf(right)]
  if (rank !== otherRank) return orderOf(rank - otherRank)
  return /^\d/.test(left) && /^\d/.test(right) ? compareDigits(left, right) : 0
}

export const comparePhp: Compare = (left, right) => {
  const [one, other] = [read(left), read(right)]
  return one === null || other === null ? null : compareLists(one, other, '0', compareWords)
}
