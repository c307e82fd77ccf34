// The trend of open findings from the first day that had any; on that day itself there is no trend yet, and a single bar shows them.

import type { Answer } from '../../api/ask.ts'
import { Answered } from '../../ui/answered.tsx'
import { type Severity, SeverityMark, severities } from '../../ui/severity.tsx'
import { SeverityCounts } from '../../ui/severity-counts.tsx'
import { StackedArea } from '../../ui/stacked-area.tsx'
import { counted, wordsOf } from '../../util/words.ts'
import type { TrendsAnswer } from './documents.ts'
import styles from './overview.module.css'

type Day = TrendsAnswer['issuesTrend'][number]
type Trend = Pick<TrendsAnswer, 'issuesTrend'>

/** `pathOf`: the list behind what is open of a severity. */
type Props = { went: Answer<Trend>; pathOf: (severity: Severity) => string; days: number }

const keys = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MEDIUM: 'medium',
  LOW: 'low',
  NOTIFICATION: 'notification',
} as const satisfies Record<Severity, string>

export function OpenTrend({ went, pathOf, days }: Props) {
  return (
    <Answered of={went} lines={11}>
      {({ issuesTrend }) => <Went of={issuesTrend} pathOf={pathOf} days={days} />}
    </Answered>
  )
}

function Went({ of, pathOf, days }: { of: readonly Day[] } & Pick<Props, 'pathOf' | 'days'>) {
  const begins = of.findIndex(({ open, opened }) => open.all > 0 || opened.all > 0)
  const last = of.at(-1)
  const isYoung = begins > 0
  const heading = isYoung && begins < of.length - 1 ? `${of.length - begins} days` : isYoung ? 'today' : `${days} days`
  return (
    <>
      <h2>Open findings, {begins === -1 ? `${days} days` : heading}</h2>
      {last === undefined || begins === -1 ? (
        <p className="muted">No open findings.</p>
      ) : begins === of.length - 1 ? (
        <FirstDay of={last} pathOf={pathOf} />
      ) : (
        <StackedArea
          label={`Open findings by severity over ${heading}`}
          // starts with the day before the first one, from which the curve rises
          moments={of.slice(Math.max(0, begins - 1)).map(({ end }) => end)}
          layers={[...severities].reverse().map((severity) => ({
            name: wordsOf(severity),
            tone: keys[severity],
            mark: <SeverityMark of={severity} />,
            path: pathOf(severity),
            values: of.slice(Math.max(0, begins - 1)).map(({ open }) => open[keys[severity]]),
          }))}
        />
      )}
    </>
  )
}

function FirstDay({ of: { open }, pathOf }: { of: Day; pathOf: (severity: Severity) => string }) {
  const shares = severities.map((value) => ({ value, count: open[keys[value]] }))
  return (
    <figure className={styles.firstDay}>
      <div className={styles.bar} aria-hidden>
        {shares.map(
          ({ value, count }) => count > 0 && <span key={value} data-severity={value} style={{ flexGrow: count }} />,
        )}
      </div>
      <SeverityCounts of={shares} pathOf={pathOf} />
      <figcaption className="muted">
        {counted(open.all, 'finding')}, the first of them today. The trend starts tomorrow.
      </figcaption>
    </figure>
  )
}
