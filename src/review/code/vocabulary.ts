// Splits the patterns of rules into the words that a piece of code must contain for them to match.

/** Alternatives to look for: whole words, and parts of words for patterns with wildcards. One of them is enough. */
export type Words = { whole: Set<string>; parts: Set<string> }

/** One part of a dotted name: all names of one of its alternatives must occur. */
export type Need = readonly (readonly Words[])[]

/** A pattern as words: those of its last part, and those of each part before it. */
export type Wanted<Thing> = { last: Words; before: readonly Need[]; thing: Thing }

export type Vocabulary<Thing> = { byWord: Map<string, Wanted<Thing>[]>; open: Wanted<Thing>[] }

export const openWords = (): Words => ({ whole: new Set(), parts: new Set() })
export const openVocabulary = <Thing>(): Vocabulary<Thing> => ({ byWord: new Map(), open: [] })

const isEmpty = ({ whole, parts }: Words): boolean => whole.size + parts.size === 0

/** Patterns share their parts, so that each part is looked for once in a piece. */
const needs = new Map<string, Need>()

/** Adds the words of a pattern. `also` is a word that must occur as well, such as the name of a required argument. */
export function addWords<Thing>(vocabulary: Vocabulary<Thing>, pattern: string, thing: Thing, also?: string): void {
  const isLoose = pattern.startsWith('~')
  const isMark = also === undefined && /^(?:fn)?@[^/+]+$/.test(pattern)
  const parts = partsOf(
    pattern
      .replace(/^~/, '')
      .replace(/^(?:fn)?@/, '')
      .replaceAll('()', ''),
  )
    .map((part) => ({ part, alternatives: alternativesOf(part, isLoose) }))
    .filter(({ alternatives }) => alternatives.length > 0)
  const ends = also === undefined ? parts.pop()?.alternatives : [[needOf(also, false)]]
  const isElement = also === undefined && parts.length === 1 && parts[0]?.part === 'jsx'
  const before = isElement ? [] : parts.map(({ part, alternatives }) => shared(`${isLoose}${part}`, alternatives))
  for (const end of ends ?? []) {
    const [last = openWords(), ...others] = end.toReversed()
    const words = isMark ? signed('@', last) : isElement ? signed('<', last) : last
    const wanted = { last: words, before: others.length > 0 ? [...before, [others]] : before, thing }
    for (const word of words.whole) vocabulary.byWord.set(word, [...(vocabulary.byWord.get(word) ?? []), wanted])
    if (words.parts.size > 0) vocabulary.open.push(wanted)
  }
}

function shared(part: string, alternatives: Need): Need {
  const known = needs.get(part) ?? alternatives
  needs.set(part, known)
  return known
}

/** The `@` of an annotation and the `<` of an element are part of the word. */
const signed = (sign: string, { whole, parts }: Words): Words => ({
  whole: new Set([...whole].map((word) => sign + word)),
  parts,
})

/** Splits the pattern at dots and plus signs outside of parentheses. */
function partsOf(pattern: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of pattern.replace(/^new /, '')) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if ((letter === '.' || letter === '+') && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}

/** `(a|b.c)` needs either `a`, or both `b` and `c`. Single names are joined into one alternative; the list is empty if anything matches. */
function alternativesOf(part: string, isLoose: boolean): Words[][] {
  const [, group] = /^\(([^()]*)\)$/.exec(part) ?? []
  if (group === undefined) {
    const words = needOf(part.replace(/[|()]/g, ' '), isLoose || part.includes('*'))
    return isEmpty(words) ? [] : [[words]]
  }
  const single = openWords()
  const several: Words[][] = []
  for (const alternative of group.split('|')) {
    const names = alternative
      .replace(/^new /, '')
      .split('.')
      .map((name) => needOf(name, isLoose || name.includes('*')))
      .filter((words) => !isEmpty(words))
    const [first] = names
    if (!first) return []
    if (names.length > 1) several.push(names)
    else for (const kind of ['whole', 'parts'] as const) for (const word of first[kind]) single[kind].add(word)
  }
  return isEmpty(single) ? several : [[single], ...several]
}

function needOf(text: string, isOpen: boolean): Words {
  const words = openWords()
  for (const word of text.match(/[A-Za-z_$][\w$-]*/g) ?? []) {
    // `_` or `$` alone would occur as part of a word in nearly every text.
    if (isOpen && !/[A-Za-z]/.test(word)) continue
    if (isOpen || word.includes('-')) words.parts.add(word.toLowerCase())
    else words.whole.add(word)
  }
  return words
}
