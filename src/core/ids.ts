// Identifiers in the API: whole numbers, written as decimal strings, accepted as a number or a string.

import { badUserInput } from './errors.ts'

/** A record's id: the decimal digits of a positive 63-bit integer. */
export type Id = string

const LARGEST = 9_223_372_036_854_775_807n

/** Whether a text is the decimal form of an id. */
export const isId = (text: string): text is Id =>
  /^[1-9]\d{0,18}$/.test(text) && (text.length < 19 || BigInt(text) <= LARGEST)

/** Reads a caller's id; BAD_USER_INPUT naming `argument` if it is not a positive whole number. */
export function parseId(value: string | number, argument: string): Id {
  const text = String(value)
  if (!isId(text)) {
    throw badUserInput(`${argument} must be the id of a record, a positive whole number`, argument)
  }
  return text
}

/** As parseId; null and undefined stay null. */
export const parseOptionalId = (value: string | number | null | undefined, argument: string): Id | null =>
  value === null || value === undefined ? null : parseId(value, argument)

/** As parseId, for a list of at most 1,000 ids, whose errors name the index; removes duplicates. */
export function parseIds(values: readonly (string | number)[], argument: string): Id[] {
  if (values.length > 1000) throw badUserInput(`${argument} takes at most 1000 ids`, argument)
  return [...new Set(values.map((value, index) => parseId(value, `${argument}.${index}`)))]
}

/** The ids under these names in a job's payload; null if one of them is not an id. */
export function idsIn<Name extends string>(payload: unknown, ...names: Name[]): Record<Name, Id> | null {
  if (typeof payload !== 'object' || payload === null) return null
  const given = new Map(Object.entries(payload))
  const ids: Partial<Record<Name, Id>> = {}
  for (const name of names) {
    const id: unknown = given.get(name)
    if (typeof id !== 'string' || !isId(id)) return null
    ids[name] = id
  }
  return ids as Record<Name, Id>
}
