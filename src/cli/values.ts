// Parsers of what options are given.

import { InvalidArgumentError } from 'commander'

export function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number above 0.')
  return Number(text)
}
