// The finding that all checks for SQL injection report.

import type { PointCheck } from '../check.ts'
import { takesText } from '../probing.ts'

export const sqlInjection = {
  title: 'SQL injection',
  cwes: [89],
  severity: 'HIGH',
  solution: 'Pass values to the database as parameters of a prepared statement, never as part of its text.',
  profile: 'BALANCED',
  accepts: takesText,
} as const satisfies Partial<PointCheck>
