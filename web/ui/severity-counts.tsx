// How many there are of each severity, worst first; severities with none are left out.

import { Link } from 'react-router'
import { count } from '../util/words.ts'
import { type Severity, SeverityMark, severities } from './severity.tsx'
import styles from './severity-counts.module.css'

type Props = {
  of: readonly { value: Severity; count: number }[]
  /** The list that the count of a severity links to. */
  pathOf?: (severity: Severity) => string
  /** In a table with keyboard navigation, where the counts must not be tab stops of their own. */
  isInTable?: boolean
  /** Gives each severity a column of its own, so that counts can be compared down the rows. */
  isInColumns?: boolean
}

export function SeverityCounts({ of, pathOf, isInTable = false, isInColumns = false }: Props) {
  const all = severities.map((value) => ({ value, count: of.find((one) => one.value === value)?.count ?? 0 }))
  const shown = all.filter(({ count }) => count > 0)
  if (shown.length === 0) return <span className="muted">none</span>
  const look = [styles.counts, isInTable && styles.line, isInColumns && styles.columns].filter(Boolean).join(' ')
  return (
    <span className={look}>
      {(isInColumns ? all : shown).map(({ value, count: many }) => {
        if (many === 0) return <span key={value} aria-hidden />
        const figure = (
          <>
            <SeverityMark of={value} />
            <span className="number">{count(many)}</span>
          </>
        )
        return pathOf ? (
          <Link key={value} to={pathOf(value)} className={styles.one} tabIndex={isInTable ? -1 : undefined}>
            {figure}
          </Link>
        ) : (
          <span key={value} className={styles.one}>
            {figure}
          </span>
        )
      })}
    </span>
  )
}
