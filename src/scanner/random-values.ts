// Random values that occur nowhere else, new each time that a check asks.

import { randomInt, randomUUID } from 'node:crypto'

/** 40 random bits between two letters. */
export const word = (): string => {
  const id = randomUUID()
  return `m${id.slice(0, 8)}${id.slice(9, 11)}x`
}

/** Whether a text has such a word, or the token of a call to the scan's listener: no credential of the target's has. */
export const isMarked = (text: string): boolean => /m[0-9a-f]{10}x|z[0-9a-f]{24}/.test(text)

/** The words of that kind in a text. */
export const wordsIn = (text: string): string[] => text.match(/m[0-9a-f]{10}x/g) ?? []

/** Whether an address names something by such a word: what the scan put there itself. */
export const isOwnAddress = (url: string): boolean => /(^|[/=])m[0-9a-f]{10}x(?![\w-])/.test(url)

/** A whole number of so many digits, without a zero at its start or end. */
export const number = (digits: number): number => {
  const low = 10 ** (digits - 1)
  const made = randomInt(low, low * 10)
  return digits > 1 && made % 10 === 0 ? made + randomInt(1, 10) : made
}
