// Reads values of a file without a guaranteed shape: a value of another type than expected counts as absent.

import { createHash } from 'node:crypto'
import { type LeftOut, LONGEST_KEY } from './types.ts'

export type Entry = Readonly<Record<string, unknown>>

const LONGEST_TEXT = 20_000
const LONGEST_NAME = 500
const MOST_NUMBERS = 20

export const isEntry = (value: unknown): value is Entry =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** An object, empty where there is none. */
export const entryOf = (value: unknown): Entry => (isEntry(value) ? value : {})

/** The objects of a list; none where there is no list. */
export const entriesOf = (value: unknown): Entry[] => (Array.isArray(value) ? value.filter(isEntry) : [])

/** What stands in a list of threats without being one, or in its place; `place` names the list. */
export function noThreatsIn(value: unknown, place: string): LeftOut[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return [{ threat: place, reason: 'It is not a list of threats' }]
  return value.flatMap((entry, index) =>
    isEntry(entry)
      ? []
      : [{ threat: nameOf(entry) ?? `${place}[${index}]`, reason: 'It is not an object that describes a threat' }],
  )
}

/** The texts of a list; none where there is no list. */
export const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).flatMap((inner) => nameOf(inner) ?? [])

/** A text or number as trimmed text that a database holds, cut at `longest` characters; null where nothing is left. */
export function textOf(value: unknown, longest = LONGEST_TEXT): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value).replaceAll('\u0000', '').toWellFormed().trim()
  if (text === '') return null
  return text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text
}

/** A text on one line, of the length of a label. */
export const nameOf = (value: unknown): string | null => textOf(textOf(value)?.replace(/\s/g, ' '), LONGEST_NAME)

/** A text by which two files tell that they speak of the same; a long one becomes its hash. */
export const keyOf = (text: string): string =>
  text.length <= LONGEST_KEY ? text : createHash('sha256').update(text).digest('hex')

/** The numbers that texts name, such as 79 of `CWE-79`, each once, twenty at most. */
export function numbersNamed(word: 'CWE' | 'CAPEC', texts: readonly (string | null)[]): number[] {
  const found = texts.flatMap((text) =>
    [...(text ?? '').matchAll(expressions[word])].map(([, digits]) => Number(digits)),
  )
  return [...new Set(found)].slice(0, MOST_NUMBERS)
}

const expressions = { CWE: /\bCWE[-_ :]?([1-9]\d{0,4})\b/gi, CAPEC: /\bCAPEC[-_ :]?([1-9]\d{0,4})\b/gi }

/** Letters and digits alone, in lower case: how words are compared that every tool writes otherwise. */
export const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')
