// The score of a CVSS vector, for all versions in use: 2.0, 3.0, 3.1 and 4.0.

import cvss from 'ae-cvss-calculator'

/** Metrics such as `AV:N`, at least the six that every version has; only provider urgency has lower case, such as `U:Red`. */
const shape =
  /^(CVSS:(?:3\.[01]|4\.0)\/)?([A-Z][A-Za-z]{0,2}:[A-Z][A-Za-z]{0,5}(?:\/[A-Z][A-Za-z]{0,2}:[A-Z][A-Za-z]{0,5}){5,40})$/

/** A cache: vectors repeat from finding to finding, and computing a score takes up to a tenth of a millisecond. */
const MOST_REMEMBERED = 4096
const remembered = new Map<string, number | null>()

/**
 * 0.0 to 10.0 in tenths, with the temporal, threat and environmental metrics that the vector names; null for a text that is
 * no whole vector. Sources: the specifications of FIRST (CVSS v3.1, section 7; v4.0, section 8).
 */
export function scoreOfVector(vector: string): number | null {
  const known = remembered.get(vector)
  if (known !== undefined) return known
  const score = workOut(vector)
  const [oldest] = remembered.keys()
  if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  if (vector.length <= 300) remembered.set(vector, score)
  return score
}

function workOut(text: string): number | null {
  const vector = text
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .replace(/\/$/, '')
  const metrics = shape.exec(vector)?.[2]
  if (metrics === undefined) return null
  const names = metrics.split('/').map((metric) => metric.split(':')[0])
  if (new Set(names).size < names.length) return null
  const read = cvss.fromVector(vector)
  if (!read?.isBaseFullyDefined()) return null
  return Math.round(read.calculateScores().overall * 10) / 10
}

/** The qualitative rating of CVSS 3.1, section 5: 0 none, below 4.0 low, below 7.0 medium, below 9.0 high, else critical. */
export function severityOfScore(score: number): 'NOTIFICATION' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL' {
  if (score >= 9) return 'CRITICAL'
  if (score >= 7) return 'HIGH'
  if (score >= 4) return 'MEDIUM'
  return score > 0 ? 'LOW' : 'NOTIFICATION'
}
