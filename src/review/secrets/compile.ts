// Compiles kinds into detectors: an expression for the form, and one for the names to which an unmarked token is assigned.

import { literally } from '../../core/expressions.ts'
import { checks } from './checks.ts'
import { keywordsOf, readForm, sourceOf } from './form.ts'
import type { Kind } from './kinds/types.ts'
import { entropyOf, isPlaceholder } from './placeholders.ts'
import type { Detector, Seen } from './types.ts'

/**
 * A word in any case, as classes of letters. `(?i:word)` would say the same, but V8 stops matching its capitals once a process has made
 * so many expressions that it no longer optimises them.
 */
const inAnyCase = (word: string): string =>
  word.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)

const oneOf = (...words: string[]): string => `(?:${words.map((word) => inAnyCase(literally(word))).join('|')})`

/** Letters up to which a word is often found within others: `etsy` in `setSysctl`, `okta` in `rookTable`. */
const SHORT = 6

/** One of the words in a name; a short one as a word of its own in it: `etsy_key`, `myEtsyKey`, `MYETSYKEY`. */
const namedBy = (words: readonly string[]): string =>
  `(?:${words.map((word) => (word.length <= SHORT ? asWord(word) : inAnyCase(literally(word)))).join('|')})`

function asWord(word: string): string {
  const capital = literally(word.charAt(0).toUpperCase()) + inAnyCase(literally(word.slice(1)))
  const starts = `(?:(?<![A-Za-z])${inAnyCase(literally(word))}|(?<=[a-z])${capital}|(?<=[A-Z])${literally(word.toUpperCase())})`
  return `${starts}(?!(?<=[a-z][A-Z])[a-z])`
}

/** What opens a value: quotes, prefixes of strings, the scheme of a header. \x60 is the back-quote. */
const OPENED = String.raw`["'\x60=(\\bru@]{0,6}(?:(?:Bearer|Basic|Token|SSWS|ApiKey) )?`

/** Signs of assignment, one with a type before it. */
const SIGN = String.raw`(?::{1,3}=|=>|->|\?\?=|\|\|=?:?|[?.+]=|={1,3}|!={1,2}|:(?:[ \t]?[A-Za-z][\w<>.]{0,30}\??[ \t]?=)?|,|>|\bis\b|\bvalue\b)`

/** What a value stands in for where it is missing: `process.env.TOKEN ||`. */
const INSTEAD = String.raw`(?:[ \t]?[\w.$()[\]"']{1,60}[ \t]?(?:\|\||\?\?|,))?`

/**
 * Between a name and its value: the rest of the name and a sign of assignment; a call; a word such as `token` and a space, as in
 * commands; a quote behind a space; or the query of an address.
 */
const BETWEEN = [
  String.raw`[\w .-]{0,40}?["'\x60\])\\?]{0,4}[ \t]{0,10}${SIGN}${INSTEAD}[ \t]{0,10}${OPENED}`,
  String.raw`\w{0,30}\(["'\x60]`,
  String.raw`[\w .-]{0,40}?[ \t]["'\x60]`,
  String.raw`[\w .-]{0,40}?${oneOf('token', 'key', 'secret', 'password')}["']?[ \t]{1,5}["']?`,
  String.raw`[\w./-]{0,80}[?&]\w{0,20}${oneOf('token', 'key', 'auth', 'secret')}\w{0,10}=`,
].join('|')

/** Bits a character that what varies of a token has at least, of 16 characters or more. */
const LEAST_ENTROPY = 2.5

export function detectorOf(kind: Kind): Detector {
  const parts = readForm(kind.form)
  const source = sourceOf(parts)
  const token = `(?<![A-Za-z0-9])(${source})`
  const expression =
    kind.words === undefined ? token : `(?<![A-Za-z0-9])(?:[\\w.-]{0,30}?)${namedBy(kind.words)}(?:${BETWEEN})${token}`
  const hasToken = new RegExp(token)
  const tokens = new RegExp(expression, 'g')
  const isSound = kind.check === undefined ? () => true : checks[kind.check]
  const fixed = parts.flatMap((part) => ('text' in part && part.text.length === 1 ? part.text : []))
  return {
    id: kind.id,
    name: kind.name,
    severity: kind.severity ?? 'HIGH',
    rank: kind.words === undefined ? 0 : 2,
    keywords: kind.words ?? keywordsOf(parts),
    *find(text): Iterable<Seen> {
      // Most lines have a word and no token, and a token alone is looked for many times faster.
      if (!hasToken.test(text)) return
      for (const match of text.matchAll(tokens)) {
        const token = match[1] ?? ''
        const varying = fixed.reduce((rest, part) => rest.replace(part, ''), token)
        if (isPlaceholder(varying) || (varying.length >= 16 && entropyOf(varying) < LEAST_ENTROPY)) continue
        if (!isSound(token) || (kind.words !== undefined && !isChance(token))) continue
        const start = match.index + match[0].length - token.length
        yield { start, end: start + token.length }
      }
    },
  }
}

/** A token of a plain form is made by chance: it has digits or changes its case often, and is neither a name nor a number. */
function isChance(token: string): boolean {
  const digits = token.replace(/[^0-9]/g, '').length
  if (token.length < 12 || digits === token.length) return token.length <= 16
  return digits > 0 || (token.match(/[a-z][A-Z]/g)?.length ?? 0) >= 4
}
