// Reads the findings that Merlon itself exported as SARIF, whose properties say more than SARIF can express.

import { findingRow, requireFormat } from '../merlon/finding.ts'
import type { Row } from '../types.ts'
import { at, type Fields, isObject, object } from '../values.ts'

/** A result of an export; null for results of other tools, and of Merlon's own scans and gates. Throws as requireFormat. */
export function ownRowOf(result: Fields, driver: string, place: string): Row | null {
  const rest = at(result, 'properties', 'merlon')
  if (driver !== 'Merlon' || !isObject(rest)) return null
  requireFormat(rest)
  return findingRow({ ...rest, ...object(result.properties) }, place)
}
