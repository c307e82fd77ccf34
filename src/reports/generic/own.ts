// Reads the findings that Merlon itself exported as CSV, whose last column holds what the others do not.

import { withoutFormulaGuard } from '../../core/own-exports.ts'
import { findingRow, requireFormat } from '../merlon/finding.ts'
import type { Row } from '../types.ts'
import { type Fields, isObject, number } from '../values.ts'

/** The columns that are read; whatever somebody changed there counts. */
const columns = [
  'id',
  'type',
  'severity',
  'status',
  'statusReason',
  'riskAcceptedUntil',
  'title',
  'description',
  'toolName',
  'cvssVector',
  'solution',
  'reference',
  'createdAt',
] as const

const NOT_WHOLE =
  'Its column "merlon" is not as it was exported; if it is emptied, the row is read by its other columns'

/** A row of an export; null for rows of other tools, and for those whose last column was removed. Throws as requireFormat. */
export function ownRowOf(row: Readonly<Record<string, string>>, place: string): Row | null {
  if (!row.merlon) return null
  const rest = parsed(row.merlon)
  if (rest === null) return { kind: 'LEFT_OUT', at: place, reason: NOT_WHOLE }
  requireFormat(rest)
  const own = columns.map((name) => [name, withoutFormulaGuard(row[name] ?? '')])
  return findingRow({ ...rest, ...Object.fromEntries(own), cvssScore: number(row.cvssScore) }, place)
}

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
