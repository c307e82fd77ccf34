// How many of each severity there are, worst first; none of a severity is left out.

import { count } from '../util/words.ts'
import { type Severity, SeverityMark, severities } from './severity.tsx'
import styles from './severity-counts.module.css'

export function SeverityCounts({ of }: { of: readonly { value: Severity; count: number }[] }) {
  const shown = severities
    .map((value) => ({ value, count: of.find((one) => one.value === value)?.count ?? 0 }))
    .filter(({ count }) => count > 0)
  if (shown.length === 0) return <span className="muted">none</span>
  return (
    <span className={styles.counts}>
      {shown.map(({ value, count: many }) => (
        <span key={value} className={styles.one}>
          <SeverityMark of={value} />
          <span className="number">{count(many)}</span>
        </span>
      ))}
    </span>
  )
}
