// Tells by the words of a piece of code which rules can have something to say of it, so that most code is never parsed, and most functions of the rest never read.

import { type Text, textOf } from './text.ts'

/** What is looked for: whole words, and parts of words where a pattern leaves the rest open. One of them is enough. */
export type Words = { whole: Set<string>; parts: Set<string> }

/** A pattern by its words: those of its last part, and those of each part before. */
type Wanted<Thing> = { last: Words; before: Words[]; thing: Thing }

export type Vocabulary<Thing> = { byWord: Map<string, Wanted<Thing>[]>; open: Wanted<Thing>[] }

/** A rule to which a value that a caller gives is enough; `made` is what code looks like in which one may harm. */
type Given = { made: RegExp } | null

export type Harmful = { sources: readonly string[]; given: Given }

export type Trigger = {
  /** labels of what comes from outside */
  sources: Vocabulary<string>
  /** names by which a framework hands something over that the code calls otherwise */
  handing: Vocabulary<readonly string[]>
  sinks: Vocabulary<Harmful>
  flaws: Vocabulary<true>
  /** whether functions go by any case */
  isCaseless: boolean
}

export const openWords = (): Words => ({ whole: new Set(), parts: new Set() })
const openVocabulary = <Thing>(): Vocabulary<Thing> => ({ byWord: new Map(), open: [] })

export const openTrigger = (isCaseless: boolean): Trigger => ({
  sources: openVocabulary(),
  handing: openVocabulary(),
  sinks: openVocabulary(),
  flaws: openVocabulary(),
  isCaseless,
})

/** Adds a pattern by its words; `also` must stand in the text besides, as the name of an argument that it asks for. */
export function addWords<Thing>(vocabulary: Vocabulary<Thing>, pattern: string, thing: Thing, also?: string): void {
  const needs = needsOf(pattern)
  if (also !== undefined) needs.push(needOf(also, false))
  const last = needs.pop()
  if (!last) return
  const wanted = { last, before: needs, thing }
  for (const word of last.whole) vocabulary.byWord.set(word, [...(vocabulary.byWord.get(word) ?? []), wanted])
  if (last.parts.size > 0) vocabulary.open.push(wanted)
}

/** The words of each part of a pattern that says any. Alternatives of several parts are told by their last ones. */
function needsOf(pattern: string): Words[] {
  const isLoose = pattern.startsWith('~')
  return partsOf(pattern.replace(/^~/, '').replaceAll('()', ''))
    .map((part) => needOf(part, isLoose || part.includes('*')))
    .filter(({ whole, parts }) => whole.size + parts.size > 0)
}

function needOf(text: string, isOpen: boolean): Words {
  const words = openWords()
  for (const word of text.match(/[A-Za-z_$][\w$-]*/g) ?? []) {
    // As a part of words a sign alone, `_` or `$`, would stand in nearly every text.
    if (isOpen && !/[A-Za-z]/.test(word)) continue
    if (isOpen || word.includes('-')) words.parts.add(word.toLowerCase())
    else words.whole.add(word)
  }
  return words
}

/** The pattern cut at dots and signs of addition outside of parentheses. */
function partsOf(pattern: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of pattern.replace(/^new /, '')) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if ((letter === '.' || letter === '+') && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  // `(a|b.c)`: of an alternative with several parts the last one stands in the name.
  return parts.map((part) =>
    part
      .split(/[|()]/)
      .map((each) => each.slice(each.lastIndexOf('.') + 1))
      .join(' '),
  )
}

/** Names that stand in no text: what the languages' adapters and the reading of calls make. */
const MADE = ['this', 'self', 'jsx', 'fn', 'WrappedRequest', 'echo', 'include', 'shell_exec', 'call_user_func']

const speaks = ({ whole, parts }: Words, { words, lower }: Text, names?: ReadonlySet<string>): boolean => {
  for (const word of whole) if (words.has(word) || names?.has(word)) return true
  for (const part of parts) {
    if (lower.includes(part)) return true
    for (const name of names ?? []) if (name.toLowerCase().includes(part)) return true
  }
  return false
}

/** The patterns of which the last part is said in the piece, and each one before somewhere in its file. */
function said<Thing>(
  { byWord, open }: Vocabulary<Thing>,
  piece: Text,
  file: Text,
  names: ReadonlySet<string>,
): Set<Wanted<Thing>> {
  const found = new Set<Wanted<Thing>>()
  const isSaid = ({ before }: Wanted<Thing>) => before.every((words) => speaks(words, file, names))
  for (const word of piece.words)
    for (const wanted of byWord.get(word) ?? []) if (!found.has(wanted) && isSaid(wanted)) found.add(wanted)
  for (const wanted of open) if (speaks(wanted.last, piece) && isSaid(wanted)) found.add(wanted)
  return found
}

/** What the functions of one piece of code may say by which something harms, and by which outside data comes in. */
export type Hot = { harms: Words; sources: Words; isCaseless: boolean }

/** Null where no rule can have anything to say of the piece: nothing at fault by itself, and no sink with a source of its rule. */
export function hotOf(trigger: Trigger, piece: Text, file: Text): Hot | null {
  const names = new Set(MADE)
  for (const { thing } of said(trigger.handing, file, file, names)) for (const name of thing) names.add(name)
  const sources = said(trigger.sources, piece, file, names)
  const labels = new Set([...sources].map(({ thing }) => thing))
  const isFed = ({ thing }: Wanted<Harmful>) => thing.sources.some((label) => labels.has(label))
  const sinks = [...said(trigger.sinks, piece, file, names)].filter((each) => isFed(each) || each.thing.given)
  const flaws = [...said(trigger.flaws, piece, file, names)]
  const isWorth = flaws.length > 0 || sinks.some((each) => isFed(each) || each.thing.given?.made.test(piece.code))
  if (!isWorth) return null
  return {
    harms: together([...sinks, ...flaws].map(({ last }) => last)),
    sources: together([...sources].map(({ last }) => last)),
    isCaseless: trigger.isCaseless,
  }
}

function together(all: readonly Words[]): Words {
  const words = openWords()
  for (const { whole, parts } of all) {
    for (const word of whole) words.whole.add(word)
    for (const part of parts) words.parts.add(part)
  }
  return words
}

/** Whether a part of the piece may harm: outside data may come to it from around it. */
export const mayHarm = ({ harms, isCaseless }: Hot, code: string): boolean => speaks(harms, textOf(code, isCaseless))

/** Whether outside data may come in there, to be kept for others. */
export const mayFeed = ({ sources, isCaseless }: Hot, code: string): boolean =>
  speaks(sources, textOf(code, isCaseless))
