// The severity of a finding: from its CVSS score, else as given, else from impact and probability.

import { severityOfScore } from '../../core/cvss.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import { severities } from '../../core/issue-words.ts'

export type Level = 'LOW' | 'MEDIUM' | 'HIGH'

type SeverityFacts = {
  /** 0 to 10, in tenths */
  cvssScore?: number | null
  severity?: SeverityCategory | null
  impact?: Level | null
  probability?: Level | null
}

const levels: readonly Level[] = ['LOW', 'MEDIUM', 'HIGH']

/** The effective severity, or null if nothing is known. Bands: CVSS v3.1, section 5 (0, 0.1–3.9, 4–6.9, 7–8.9, 9–10). */
export function severityOf({ cvssScore, severity, impact, probability }: SeverityFacts): SeverityCategory | null {
  if (cvssScore !== null && cvssScore !== undefined) return severityOfScore(cvssScore)
  if (severity) return severity
  if (!impact || !probability) return null
  return severities[levels.indexOf(impact) + levels.indexOf(probability)] ?? null
}
