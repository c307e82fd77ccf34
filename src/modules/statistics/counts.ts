// Counts by severity, and how changes add up to what was open at the end of each interval.

import type { SeverityCategory } from '../../core/db/tables.generated.ts'

export type SeverityCounts = {
  all: number
  critical: number
  high: number
  medium: number
  low: number
  notification: number
}

const names = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
  NOTIFICATION: 'notification',
} as const satisfies Record<SeverityCategory, keyof SeverityCounts>

/** The severities, worst first, by their names in figures. */
export const severityNames = Object.entries(names) as [SeverityCategory, keyof SeverityCounts][]

export const noCounts = (): SeverityCounts => ({ all: 0, critical: 0, high: 0, medium: 0, low: 0, notification: 0 })

export function add(counts: SeverityCounts, severity: SeverityCategory, count: number): void {
  counts.all += count
  counts[names[severity]] += count
}

/** How many issues of a severity were opened and closed in an interval; interval 1 is the first, 0 all time before it. */
export type Change = { bucket: number; severity: SeverityCategory; opened: number; closed: number }

export type Trend = { opened: SeverityCounts; closed: SeverityCounts; open: SeverityCounts }

/** For each of `length` intervals, how many were opened and closed in it, and were open at its end. */
export function accumulate(changes: readonly Change[], length: number): Trend[] {
  const byBucket = Map.groupBy(changes, ({ bucket }) => bucket)
  const standing = noCounts()
  const trends: Trend[] = []
  for (let bucket = 0; bucket <= length; bucket += 1) {
    const [opened, closed] = [noCounts(), noCounts()]
    for (const change of byBucket.get(bucket) ?? []) {
      add(opened, change.severity, change.opened)
      add(closed, change.severity, change.closed)
      add(standing, change.severity, change.opened - change.closed)
    }
    if (bucket > 0) trends.push({ opened, closed, open: { ...standing } })
  }
  return trends
}
