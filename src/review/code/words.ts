// Tells by the words of a piece of code which rules can have something to say of it, so that most code is never parsed, and most functions of the rest never read.

import { INPUT } from './engine/value.ts'
import { type Text, textOf } from './text.ts'
import { type Need, openVocabulary, openWords, type Vocabulary, type Wanted, type Words } from './vocabulary.ts'

/** A rule for which an unseen caller's argument is enough; `made` is what code looks like in which one may do harm. */
type Given = { made: RegExp } | null

export type Harmful = { sources: readonly string[]; given: Given }

export type Trigger = {
  /** labels of sources */
  sources: Vocabulary<string>
  /** names for what a framework passes to a handler, whatever the code calls it */
  handing: Vocabulary<readonly string[]>
  sinks: Vocabulary<Harmful>
  flaws: Vocabulary<true>
  /** whether names of functions are case-insensitive */
  isCaseless: boolean
}

export const openTrigger = (isCaseless: boolean): Trigger => ({
  sources: openVocabulary(),
  handing: openVocabulary(),
  sinks: openVocabulary(),
  flaws: openVocabulary(),
  isCaseless,
})

/** Names that do not occur in the code: the languages' adapters and the engine create them. */
const MADE = ['this', 'self', 'jsx', 'fn', 'WrappedRequest', 'echo', 'include', 'shell_exec', 'call_user_func']

const speaks = ({ whole, parts }: Words, { words, lower }: Text, names?: ReadonlySet<string>): boolean => {
  for (const word of whole) if (words.has(word) || names?.has(word)) return true
  for (const part of parts) {
    if (lower.includes(part)) return true
    for (const name of names ?? []) if (name.toLowerCase().includes(part)) return true
  }
  return false
}

/** The words of a file, the names that a framework adds, and the needs that these meet. */
type Spoken = { file: Text; names: ReadonlySet<string>; needs: Map<Need, boolean> }

function isMet(need: Need, { file, names, needs }: Spoken): boolean {
  const known = needs.get(need)
  if (known !== undefined) return known
  const met = need.some((all) => all.every((words) => speaks(words, file, names)))
  needs.set(need, met)
  return met
}

/** The patterns whose last part occurs in the piece, and whose other parts occur anywhere in its file. */
function said<Thing>({ byWord, open }: Vocabulary<Thing>, piece: Text, spoken: Spoken): Set<Wanted<Thing>> {
  const found = new Set<Wanted<Thing>>()
  const isSaid = ({ before }: Wanted<Thing>) => before.every((need) => isMet(need, spoken))
  for (const word of piece.words)
    for (const wanted of byWord.get(word) ?? []) if (!found.has(wanted) && isSaid(wanted)) found.add(wanted)
  for (const wanted of open) if (speaks(wanted.last, piece) && isSaid(wanted)) found.add(wanted)
  return found
}

/**
 * The words by which a function of the piece may contain a sink or a flaw, and those by which it may contain a source.
 * `knowsPrototype`: the file names the key that leads to the prototype, which it presumably leaves out.
 */
export type Hot = { harms: Words; sources: Words; isCaseless: boolean; knowsPrototype: boolean }

/** Null if no rule can match in the piece: it has no flaw, and no sink with a source of the same rule. */
export function hotOf(trigger: Trigger, piece: Text, file: Text): Hot | null {
  const names = new Set(MADE)
  for (const { thing } of said(trigger.handing, file, { file, names, needs: new Map() }))
    for (const name of thing) names.add(name)
  const spoken = { file, names, needs: new Map() }
  const sources = said(trigger.sources, piece, spoken)
  const labels = new Set([...sources].map(({ thing }) => thing))
  const isFed = ({ thing }: Wanted<Harmful>) => thing.sources.some((label) => labels.has(label))
  const sinks = [...said(trigger.sinks, piece, spoken)].filter((each) => isFed(each) || each.thing.given)
  const flaws = [...said(trigger.flaws, piece, spoken)]
  const isWorth = flaws.length > 0 || sinks.some((each) => isFed(each) || each.thing.given?.made.test(piece.code))
  if (!isWorth) return null
  const wanted = new Set(sinks.flatMap(({ thing }) => (thing.given ? [...thing.sources, INPUT] : thing.sources)))
  return {
    harms: together([...sinks, ...flaws], piece),
    // A source is worth following only if one of the sinks is harmed by its kind of data.
    sources: together(
      [...sources].filter(({ thing }) => wanted.has(thing)),
      piece,
    ),
    isCaseless: trigger.isCaseless,
    knowsPrototype: file.words.has('__proto__'),
  }
}

/** The last words of all these patterns that occur in the piece. */
function together(all: readonly Wanted<unknown>[], { words, lower }: Text): Words {
  const said = openWords()
  for (const { last } of all) {
    for (const word of last.whole) if (words.has(word)) said.whole.add(word)
    for (const part of last.parts) if (lower.includes(part)) said.parts.add(part)
  }
  return said
}

/** Whether a part of the piece may contain a sink or a flaw; the source may be outside of the part. */
export const mayHarm = ({ harms, isCaseless }: Hot, code: string): boolean => speaks(harms, textOf(code, isCaseless))

/** Whether a part of the piece may contain a source, whose data other parts may use. */
export const mayFeed = ({ sources, isCaseless }: Hot, code: string): boolean =>
  speaks(sources, textOf(code, isCaseless))
