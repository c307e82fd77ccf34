// Reads the sort keys and lists that callers give for requirements, and limits their number.

import { badUserInput } from '../../core/errors.ts'

/** A sort key: a whole number of 32 bits, or null. */
export function readSort(sort: string | number | null | undefined, argument: string): number | null {
  if (sort === null || sort === undefined || sort === '') return null
  const value = /^-?\d{1,10}$/.test(String(sort)) ? Number(sort) : Number.NaN
  if (Math.abs(value) < 2 ** 31) return value
  throw badUserInput('sort is a whole number', argument)
}

/** BAD_USER_INPUT if a list has more entries than are allowed at once. */
export function requireFew(entries: readonly unknown[], most: number, argument: string): void {
  if (entries.length <= most) return
  throw badUserInput(`${argument.split('.').at(-1) ?? argument} takes at most ${most} entries`, argument)
}
