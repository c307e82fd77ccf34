// Parsers for the values of options and arguments.

import { InvalidArgumentError } from 'commander'
import { WrongUse } from './wrong-use.ts'

export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.')
  return Number(text)
}

/** Any text but an empty one, which an unset shell variable would give. */
export function filled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty.')
  return text
}

/** A number above zero, with or without a fraction. */
export function aboveZero(text: string): number {
  const given = Number(text)
  if (!Number.isFinite(given) || given <= 0) throw new InvalidArgumentError('It must be a number above 0.')
  return given
}

/** A time or a day in ISO 8601. */
export function moment(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text))
    throw new InvalidArgumentError('It must be a time in ISO 8601, such as 2026-12-31.')
  return text
}

/** A whole number of seconds, at most 3600. */
export function seconds(text: string): number {
  const given = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(given) || given > 3600) throw new InvalidArgumentError('It must be from 0 to 3600.')
  return given
}

/**
 * One of the words, which are in upper case; it may be given in any case, and with - instead of _. `flag` is the option or argument that the
 * sentence names. Throws WrongUse, because commander would print more than one line for an InvalidArgumentError.
 */
export const oneOf =
  <Word extends string>(flag: string, words: readonly Word[]) =>
  (text: string): Word => {
    const given = text.toUpperCase().replaceAll('-', '_')
    const word = words.find((known) => known === given)
    if (word === undefined) throw new WrongUse(`${flag} ${text} is not one of ${words.join(', ')}`)
    return word
  }

/** The same for an option that takes several. */
export const someOf =
  <Word extends string>(flag: string, words: readonly Word[]) =>
  (text: string, before: readonly Word[] | undefined): Word[] => [...(before ?? []), oneOf(flag, words)(text)]
