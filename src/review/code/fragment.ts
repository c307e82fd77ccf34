// Completes a piece of code so that it can be parsed: what it closes is opened before it, and what it leaves open is closed.

import { beginningOf, CODE } from './cut.ts'

/** Code to be parsed, and how many lines stand before its first one. */
export type Fragment = { text: string; shift: number }

export type Bracketing = {
  /** how one-line comments begin */
  comments: readonly string[]
  quotes: readonly string[]
  /** those of texts that may go over several lines */
  long: readonly string[]
  /** what opens a function or class body around members that stand alone; null where members may stand alone */
  member: { looks: RegExp; head: string } | null
  head: string
}

const opens: Record<string, string> = { '}': '{', ')': '(', ']': '[' }
const closes: Record<string, string> = { '{': '}', '(': ')', '[': ']' }

/** Characters by which a member of a class is told. */
const LONGEST_HEAD = 200

type Unmatched = { closer: string; behind: string; at: number }

/** `tops`: where lines begin outside of what the text opens. */
type Loose = { closed: Unmatched[]; left: string[]; tops: number[] }

/** Brackets that the text closes without opening them, and those that it leaves open. Strings and comments are skipped. */
function unmatched(text: string, from: number, { comments, quotes, long }: Bracketing): Loose {
  const closed: Unmatched[] = []
  const left: string[] = []
  const tops = [from]
  for (let at = from; at < text.length; at++) {
    if (isPlain(text.charCodeAt(at))) continue
    const letter = text[at] ?? ''
    if (letter === '\n' && left.length === 0) tops.push(at + 1)
    const comment = comments.find((each) => text.startsWith(each, at))
    const quote = quotes.includes(letter) ? (long.find((each) => text.startsWith(each, at)) ?? letter) : null
    if (comment) at = endOf(text, '\n', at) - 1
    else if (text.startsWith('/*', at)) {
      at = endOf(text, '*/', at + 2) + 1
      if (at > text.length) left.push('*/')
    } else if (quote !== null && long.includes(quote)) {
      at = endOfLong(text, quote, at + quote.length) + quote.length - 1
      if (at >= text.length) left.push(quote)
    } else if (quote !== null) at = endOfQuote(text, quote, at)
    else if (closes[letter]) left.push(letter)
    else if (opens[letter]) {
      if (left.at(-1) === opens[letter]) left.pop()
      else if (left.length === 0) closed.push({ closer: letter, behind: text.slice(at + 1, at + 40).trimStart(), at })
    }
  }
  return { closed, left, tops }
}

/** Letters, digits, spaces and what else opens, closes and ends nothing, which most of the code is. */
const isPlain = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  code === 32 ||
  (code >= 65 && code <= 90) ||
  (code >= 44 && code <= 46) ||
  (code >= 48 && code <= 57)

export const endOf = (text: string, end: string, from: number): number => {
  const at = text.indexOf(end, from)
  return at < 0 ? text.length : at
}

export function endOfQuote(text: string, quote: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote || text[at] === '\n') return at
  }
  return text.length
}

export function endOfLong(text: string, quote: string, from: number): number {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1))
    if (text[at - 1] !== '\\') return at
  return text.length
}

function openerOf({ closer, behind }: Unmatched): string {
  if (closer === ')') return '__('
  if (closer === ']') return '['
  if (/^else\b/.test(behind)) return 'if (__) {'
  if (/^(?:catch|finally)\b/.test(behind)) return 'try {'
  if (/^while\b/.test(behind)) return 'do {'
  return '{'
}

/** The code with one line before it that opens what it closes, and one after it that closes what it opens; `isFirst` of a file. */
export function bracketed(text: string, isFirst: boolean, bracketing: Bracketing): Fragment {
  const { opener, end } = isFirst ? CODE : beginningOf(text, { blocks: true, long: bracketing.long })
  const { closed, left, tops } = unmatched(text, end, bracketing)
  const { member, head } = bracketing
  const memberAt = member ? (tops.find((at) => member.looks.test(text.slice(at, at + LONGEST_HEAD))) ?? -1) : -1
  // What is closed first after a member is its class.
  const classAt = memberAt < 0 ? -1 : closed.filter(({ at }) => at < memberAt).length
  const openers = closed.map((each, index) => (index === classAt && member ? member.head : openerOf(each)))
  const isOpen = member !== null && classAt >= closed.length
  if (isOpen) openers.push(member.head)
  if (opener === '/*' && !text.slice(0, end).endsWith('*/')) left.push('*/')
  const after = left.reverse().map((letter) => closes[letter] ?? letter)
  const before = `${head}${openers.reverse().join(' ')}${opener}`
  return { text: `${before}\n${text}\n${after.join('')}${isOpen ? '}' : ''}`, shift: 1 }
}

/** Whether a piece that opens what it closes begins or ends within a comment or a text all the same. */
export const isCut = (text: string, isFirst: boolean, { long }: Bracketing): boolean =>
  text.lastIndexOf('/*') > text.lastIndexOf('*/') ||
  (!isFirst &&
    (beginningOf(text, { blocks: true, long }).opener !== '' ||
      long.some((quote) => text.split(quote).length % 2 === 0)))
