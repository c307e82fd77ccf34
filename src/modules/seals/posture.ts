// What a seal says about its asset while it is valid: a grade, from the worst open finding, in words.

import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { SealGrade, SealState } from '../api.generated.ts'

export type Posture = {
  state: SealState
  /** null while the seal is not in force */
  grade: SealGrade | null
  sentence: string
  /** the sentence, shortened to fit the badge */
  short: string
}

const grades = {
  NOTIFICATION: 'A',
  LOW: 'B',
  MEDIUM: 'C',
  HIGH: 'D',
  CRITICAL: 'E',
} as const satisfies Record<SeverityCategory, SealGrade>

const words = {
  A: { sentence: 'No open findings', short: 'No open findings' },
  B: { sentence: 'No open findings above low', short: 'No findings above low' },
  C: { sentence: 'No open critical or high findings', short: 'No critical or high findings' },
  D: { sentence: 'No open critical findings', short: 'No critical findings' },
  E: { sentence: 'Open critical findings', short: 'Open critical findings' },
} as const satisfies Record<SealGrade, { sentence: string; short: string }>

/** `worst`: the highest severity of the asset's open findings; null if it has none. */
export function postureOf(seal: { isExpired: boolean; enabled: boolean; worst: SeverityCategory | null }): Posture {
  if (!seal.enabled) return { state: 'DISABLED', grade: null, sentence: 'The seal is disabled', short: 'Not in force' }
  if (seal.isExpired) return { state: 'EXPIRED', grade: null, sentence: 'The seal has expired', short: 'Expired' }
  const grade = grades[seal.worst ?? 'NOTIFICATION']
  return { state: 'ACTIVE', grade, ...words[grade] }
}
