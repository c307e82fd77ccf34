// Completes a piece of code of a language with significant indentation so that it can be parsed.

import { beginningOf, CODE } from './cut.ts'
import { endOf, endOfLong, endOfQuote, type Fragment } from './fragment.ts'

/** The quotes of multi-line strings. */
const LONG = ['"""', "'''"]

/** Lines of an interactive shell, as examples show them. */
const TYPED = /^[ \t]*>>> .*(?:\n[ \t]*\.\.\. .*)*/gm

/** Adds a block's head above the first line for each depth that later lines return to, and opens or ends a string that was cut off. `isFirst`: it is the first piece of a file. */
export function indented(piece: string, isFirst: boolean): Fragment {
  const text = piece.replace(TYPED, (lines) => lines.replace(/.+/g, ''))
  const { opener, end } = isFirst ? CODE : beginningOf(text, { blocks: false, long: LONG })
  const code = opener === '' ? text : text.slice(endOf(text, '\n', end) + 1)
  const heads = headsOf(code)
  if (opener !== '') heads.push(`${indentOf(code)}${opener}`)
  const before = heads.map((head) => `${head}\n`).join('')
  const open = openText(text, end)
  return { text: `${before}${text}${open === '' ? '' : `\n${open}`}`, shift: heads.length }
}

/** The heads for the depths to which the lines return, the outermost first. */
function headsOf(code: string): string[] {
  const depths: { depth: number; line: string }[] = []
  let first = -1
  let least = Number.POSITIVE_INFINITY
  for (const line of code.split('\n')) {
    if (saysNothing(line)) continue
    const depth = line.length - line.trimStart().length
    if (first < 0) first = depth
    if (depth < least) {
      depths.push({ depth, line: line.trim() })
      least = depth
    }
  }
  if (first <= 0) return []
  const indent = indentOf(code)
  const heads = depths.slice(1).map(({ depth, line }) => `${indent.slice(0, depth)}${headFor(line)}`)
  if (least > 0) heads.push(METHOD.test(code) ? 'class __:' : 'if __:')
  return heads.reverse()
}

/** Signs of code within a class. */
const METHOD = /^[ \t]+(?:async[ \t]+)?def[ \t]+\w+\([ \t]*(?:self|cls)\b/m

const saysNothing = (line: string) => line.trim() === '' || line.trimStart().startsWith('#')

/** The indentation of the first line that is not empty or a comment. */
const indentOf = (code: string): string =>
  /^[ \t]*/.exec(code.split('\n').find((line) => !saysNothing(line)) ?? '')?.[0] ?? ''

const headFor = (line: string): string => (/^(?:except|finally)\b/.test(line) ? 'try:' : 'if __:')

/** The quote of a multi-line string that is still open at the end; empty if there is none. */
function openText(code: string, from: number): string {
  for (let at = from; at < code.length; at++) {
    const letter = code[at] ?? ''
    if (letter === '#') at = endOf(code, '\n', at)
    if (letter !== '"' && letter !== "'") continue
    const quote = LONG.find((each) => code.startsWith(each, at))
    if (!quote) {
      at = endOfQuote(code, letter, at)
      continue
    }
    at = endOfLong(code, quote, at + quote.length) + quote.length - 1
    if (at >= code.length) return quote
  }
  return ''
}
