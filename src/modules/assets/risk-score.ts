// The risk score of an asset, from its open findings alone.

/** What one open finding adds, by severity. */
export const riskPoints = { CRITICAL: 40, HIGH: 15, MEDIUM: 4, LOW: 1, NOTIFICATION: 0 } as const

type Severity = keyof typeof riskPoints

/** Severities, worst first, as figures list them. */
export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION'] as const satisfies readonly Severity[]

/** Open findings by severity; a severity that is not named has none. */
export type OpenCounts = Partial<Record<Severity, number>>

/** What the score is made of: unlike it, points tell apart those that have come close to 100. */
export const pointsOf = (counts: OpenCounts): number =>
  severities.reduce((sum, severity) => sum + riskPoints[severity] * (counts[severity] ?? 0), 0)

/**
 * From 0 (no open finding) towards 100: 100 × (1 − e^(−points / 100)), to one decimal. Every finding raises it, a worse
 * one raises it more, and the next one always less than the one before: one critical finding gives 33.0, ten give 98.2.
 */
export function riskScore(counts: OpenCounts): number {
  return Math.round(1000 * (1 - Math.exp(-pointsOf(counts) / 100))) / 10
}
