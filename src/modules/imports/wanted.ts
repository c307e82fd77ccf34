// Filters a report by the types of findings that its caller wants, and converts others of the same kind.

import type { IssueType } from '../../core/db/tables.generated.ts'
import type { Observation } from '../../reports/types.ts'

/** The wanted types. Findings of another type of the same kind are converted to one of them; the rest is dropped or kept. */
export type Wanted = { types: readonly IssueType[]; keepsOthers: boolean }

const kindOf = {
  SAST_FINDING: 'CODE',
  IAC_FINDING: 'CODE',
  SECRET_FINDING: 'CODE',
  MAST_FINDING: 'CODE',
  SCA_FINDING: 'COMPONENT',
  CONTAINER_FINDING: 'COMPONENT',
  DAST_FINDING: 'EXCHANGE',
} as const

/** The observation as one of the wanted types, or null. */
export function asWanted(seen: Observation, wanted: Wanted | null): Observation | null {
  if (wanted === null || wanted.types.includes(seen.type)) return seen
  if (seen.kind === 'KEPT') return wanted.keepsOthers ? seen : null
  const ofKind = wanted.types.flatMap((type) => (type in kindOf ? [type as keyof typeof kindOf] : []))
  const fitting = ofKind.filter((type) => kindOf[type] === kindOf[seen.type])
  const [type] = fitting
  if (type && fitting.length === 1) return { ...seen, type }
  return wanted.keepsOthers ? seen : null
}
