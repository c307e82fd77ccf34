// Finds the private values of a response: those that nobody else gets without naming an object, and personal data.

import { readJson } from '../json-leaves.ts'
import type { Operation } from '../types.ts'
import { collect, type Holdings, type Known } from './ownership.ts'
import { isPersonal } from './personal.ts'

/** What people and things are found by, and shown under, in lists for everybody; and what people tell of themselves. */
const SHOWN =
  /^(id|uuid|name|username|login|displayname|firstname|lastname|fullname|nickname|avatar|createdat|updatedat|bio|about|aboutme|image|picture|photo)(url)?$/

/** What nobody keeps for others to see: of such a thing times tell something too. */
const KEPT_TO_ONESELF =
  /(^|[^a-z])(my-?)?(orders?|invoices?|carts?|baskets?|payments?|transactions?|cards?|addresses|wallets?|statements?|prescriptions?|appointments?|bookings?|reservations?|purchases?|loans?|medical-?records?)(?![a-z])/i
export const SHOWN_OF_THOSE = /^(id|uuid)$/

export const isKeptToOneself = ({ path, key }: Operation): boolean =>
  KEPT_TO_ONESELF.test((key.includes('#') ? key : path).replace(/([a-z])([A-Z])/g, '$1-$2'))

/** Leaves of an answer that none of the others gets without naming a thing, and that were not sent. */
export function privateValues(
  text: string,
  sent: readonly string[],
  others: readonly Holdings[],
  shown: RegExp = SHOWN,
): string[] {
  const json = readJson(text)
  if (json === undefined) return []
  const leaves: Known[] = []
  collect(json, '', leaves)
  return [...new Set(leaves.filter(({ name }) => !shown.test(name)).map(({ value }) => value))].filter(
    (value) => value.length > 2 && !sent.includes(value) && !others.some(({ rightful }) => rightful.has(value)),
  )
}

/** What an answer tells of a person, whatever other answers tell. */
export function personalValues(text: string, sent: readonly string[]): string[] {
  const json = readJson(text)
  const leaves: Known[] = []
  if (json !== undefined) collect(json, '', leaves)
  return leaves.filter((leaf) => isPersonal(leaf) && !sent.includes(leaf.value)).map(({ value }) => value)
}
