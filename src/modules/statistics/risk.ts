// The risk score of a company over time, from the findings opened and closed in its assets.

import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'

/** The weight of an asset in its company's score, by business impact. */
const weights = { HIGH: 3, MEDIUM: 2, LOW: 1, NOT_DEFINED: 2 } as const

type Asset = { id: Id; businessImpact: string }
type Change = { assetId: Id; bucket: number; severity: SeverityCategory; opened: number; closed: number }
type Counts = Partial<Record<SeverityCategory, number>>

const weightOf = (impact: string): number => (impact in weights ? weights[impact as keyof typeof weights] : 2)

/**
 * The mean of the assets' scores, weighted by business impact, after each of `length` steps; the first step is everything before the
 * intervals (bucket 0). Scores have one decimal, and so has the mean; 0 for a company without assets.
 */
export function meanRisk(
  assets: readonly Asset[],
  changes: readonly Change[],
  length: number,
  scoreOf: (open: Counts) => number,
): number[] {
  const standing = new Map<Id, { open: Counts; score: number; weight: number }>(
    assets.map(({ id, businessImpact }) => [id, { open: {}, score: 0, weight: weightOf(businessImpact) }]),
  )
  const weight = [...standing.values()].reduce((sum, asset) => sum + asset.weight, 0)
  const byStep = Map.groupBy(changes, ({ bucket }) => bucket)
  let sum = 0
  return Array.from({ length }, (_, step) => {
    const touched = new Set<Id>()
    for (const { assetId, severity, opened, closed } of byStep.get(step) ?? []) {
      const asset = standing.get(assetId)
      if (!asset) continue
      asset.open[severity] = (asset.open[severity] ?? 0) + opened - closed
      touched.add(assetId)
    }
    for (const id of touched) {
      const asset = standing.get(id)
      if (!asset) continue
      // in tenths, so that no order of the additions rounds the mean another way
      const score = Math.round(scoreOf(asset.open) * 10)
      sum += (score - asset.score) * asset.weight
      asset.score = score
    }
    return weight === 0 ? 0 : Math.round(sum / weight) / 10
  })
}
