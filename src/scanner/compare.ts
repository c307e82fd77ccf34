// How similar two responses are, ignoring what changes by itself: times, ids, and echoed input.

import { literally } from '../core/expressions.ts'
import type { Exchange } from './types.ts'

/** The most characters of a text that are compared. */
const LONGEST = 120_000
/** The most characters of a value that is searched for ignoring case. */
const LONGEST_EXPRESSION = 1_000

const CHANGING = [
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi,
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?/g,
  /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d?\d \w{3} \d{4} \d\d:\d\d:\d\d( GMT)?/g,
  /\b\d\d:\d\d:\d\d(\.\d{1,9})?\b/g,
  /\b1[5-9]\d{8,11}(\.\d{1,9})?\b/g,
  /\b[0-9a-f]{32,128}\b/gi,
  /\beyJ[\w-]{5,4000}\.[\w-]{2,4000}\.[\w-]{0,4000}/g,
]

/** The text without parts that change by themselves, and without the sent values, plain or escaped. */
export function steadyText(text: string, sent: readonly string[] = []): string {
  let steady = text.slice(0, LONGEST)
  const lower = sent.length === 0 ? '' : steady.toLowerCase()
  for (const value of sent) {
    if (value.length < 2 || !mayHave(lower, value)) continue
    for (const form of formsOf(value)) steady = without(steady, form)
  }
  for (const pattern of CHANGING) steady = steady.replace(pattern, '')
  return steady
}

/** Whether a text, in lower case, contains all parts of a value that no escaping changes, ignoring case. */
const mayHave = (lower: string, value: string): boolean =>
  (value.toLowerCase().match(/[\w.-]+/g) ?? []).every((part) => lower.includes(part))

/** Removes a value ignoring case, because a page may change it; long values are not made into a regular expression, which could be too large. */
const without = (text: string, value: string): string =>
  value.length > LONGEST_EXPRESSION ? text.replaceAll(value, '') : text.replace(new RegExp(literally(value), 'gi'), '')

/** The forms in which a value may be echoed: plain, and escaped for JSON, HTML or a URL. */
function formsOf(value: string): string[] {
  if (/^[\w.-]*$/.test(value)) return [value]
  const inJson = JSON.stringify(value).slice(1, -1)
  const inHtml = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const quotes = inHtml.replaceAll('"', '&quot;')
  const all = [
    value,
    inJson,
    inHtml,
    quotes,
    quotes.replaceAll("'", '&#39;'),
    quotes.replaceAll("'", '&#x27;'),
    quotes.replaceAll("'", '&#039;'),
    quotes.replaceAll("'", '&apos;'),
    quotes.replaceAll("'", '&#39;').replaceAll('"', '&#34;'),
    value.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`),
    encodeURIComponent(value.toWellFormed()),
    encodeURIComponent(value.toWellFormed()).replaceAll('%20', '+'),
    value.replaceAll("'", "\\'"),
    value.replaceAll("'", "''"),
  ]
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

/** The similarity of two responses, 0 to 1, by their common words (Sørensen–Dice); 0 if their status differs. */
export function likenessOf(one: Exchange, other: Exchange, sent: readonly string[] = []): number {
  if (one.answer.status !== other.answer.status) return 0
  return textLikeness(steadyText(one.text, sent), steadyText(other.text, sent))
}

export function textLikeness(one: string, other: string): number {
  if (one === other) return 1
  const [left, right] = [wordsOf(one), wordsOf(other)]
  let shared = 0
  let size = 0
  for (const [word, count] of left) {
    shared += Math.min(count, right.get(word) ?? 0)
    size += count
  }
  for (const count of right.values()) size += count
  return size === 0 ? 1 : (2 * shared) / size
}

/** The number of times that each word occurs in the text. */
export function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>()
  for (const word of text.split(/[\s<>"'{}[\],:;=&/()]+/)) if (word !== '') words.set(word, (words.get(word) ?? 0) + 1)
  return words
}
