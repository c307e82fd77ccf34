// Finds the texts that a page has gained, and the labels under which it shows them.

import { textsOf } from '../page-texts.ts'

type Counts = ReadonlyMap<string, number>

export function countsOf(html: string): Counts {
  const counts = new Map<string, number>()
  for (const text of textsOf(html)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** Texts that occur more often than before: a longer list has gained only the texts of its new entry. */
export const gained = (now: Counts, before: Counts): string[] =>
  [...now].flatMap(([text, count]) => (count > (before.get(text) ?? 0) ? [text] : []))

const LONGEST_LABEL = 30

/** `Account type: private` → `account_type` and `accountType`, which were `private`; so too where the value is the next text. */
export function fieldsLabelled(html: string): { name: string; before: string }[] {
  const texts = textsOf(html)
  return texts.flatMap((text, index) => {
    const [label = '', inside = ''] = text.split(/:\s?(.*)/)
    const words = label.toLowerCase().match(/[a-z]+/g) ?? []
    if (words.length === 0 || words.length > 3 || label.length > LONGEST_LABEL) return []
    const before = inside || (texts[index + 1] ?? '')
    const camel = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
    return [...new Set([words.join('_'), camel])].map((name) => ({ name, before }))
  })
}
