// Versions of Maven artifacts, by Maven's "Version Order Specification".

import { type Compare, compareDigits, compareText, type Order } from './order.ts'

type Token = { text: string; isNumber: boolean; separator: string }

const QUALIFIERS = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp']
const ALIASES: Readonly<Record<string, string>> = { ga: '', final: '', release: '', cr: 'rc' }
const SHORT: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' }

/** Split at dots, hyphens, underscores, and between digits and letters; trailing parts that say nothing are taken away. */
function read(text: string): Token[] {
  const tokens: Token[] = []
  let separator = ''
  let wasNumber: boolean | null = null
  for (const [part] of text
    .trim()
    .toLowerCase()
    .matchAll(/\d+|[^\d._-]+|[._-]/g)) {
    if (/^[._-]$/.test(part)) {
      if (wasNumber === null) tokens.push({ text: '0', isNumber: true, separator })
      separator = part === '_' ? '-' : part
      wasNumber = null
      continue
    }
    const isNumber = /^\d/.test(part)
    if (wasNumber !== null) separator = '-'
    tokens.push({ text: part, isNumber, separator })
    wasNumber = isNumber
  }
  return trimmed(tokens.map((token, index) => named(token, tokens[index + 1])))
}

/** `a`, `b` and `m` are short for words only right before a number. */
function named(token: Token, next: Token | undefined): Token {
  if (token.isNumber) return token
  const isShort = next?.isNumber && next.separator === '-' && token.text.length === 1
  const text = (isShort ? SHORT[token.text] : undefined) ?? ALIASES[token.text] ?? token.text
  return { ...token, text }
}

const isNull = ({ text }: Token): boolean => text === '' || /^0+$/.test(text)

/** Nulls at the end, and before a hyphen, go. */
function trimmed(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  for (const token of tokens) {
    if (token.separator === '-') while (kept.length > 0 && isNull(kept.at(-1) ?? token)) kept.pop()
    kept.push(token)
  }
  while (kept.length > 0 && isNull(kept.at(-1) ?? { text: 'x', isNumber: false, separator: '' })) kept.pop()
  return kept
}

/** What a version that has ended is held against: nothing, with the separator of the other. */
const padding = ({ isNumber, separator }: Token): Token => ({ text: isNumber ? '0' : '', isNumber, separator })

/** Numbers behind a dot come after those behind a hyphen, those after qualifiers. */
function rankOf({ isNumber, separator }: Token): number {
  if (isNumber) return separator === '-' ? 2 : 3
  return separator === '-' ? 1 : 0
}

function compareTokens(one: Token, other: Token): Order {
  if (one.isNumber && other.isNumber && rankOf(one) === rankOf(other)) return compareDigits(one.text, other.text)
  const [rank, otherRank] = [rankOf(one), rankOf(other)]
  if (one.isNumber !== other.isNumber || (rank !== otherRank && one.isNumber)) return rank < otherRank ? -1 : 1
  const [at, otherAt] = [QUALIFIERS.indexOf(one.text), QUALIFIERS.indexOf(other.text)]
  if (at >= 0 && otherAt >= 0) return at < otherAt ? -1 : at > otherAt ? 1 : 0
  if (at < 0 && otherAt < 0) return compareText(one.text, other.text)
  return at < 0 ? 1 : -1
}

export const compareMaven: Compare = (left, right) => {
  const [one, other] = [read(left), read(right)]
  if (left.trim() === '' || right.trim() === '') return null
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const [a, b] = [one[at], other[at]]
    const order = a && b ? compareTokens(a, b) : a ? compareTokens(a, padding(a)) : b ? compareTokens(padding(b), b) : 0
    if (order !== 0) return order
  }
  return 0
}
