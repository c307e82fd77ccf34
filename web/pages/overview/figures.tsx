// The key figures of the overview, each with its trend and a link to the list behind it.

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { SeverityCounts } from '../../ui/severity-counts.tsx'
import { historyOf, Sparkline } from '../../ui/sparkline.tsx'
import { to } from '../../util/path-builder.ts'
import { agoInFull, count, counted } from '../../util/words.ts'
import type { OverviewAnswer, TrendsAnswer } from './documents.ts'
import styles from './overview.module.css'
import { type FigureTrend, trendsOf } from './trends.ts'

type Props = { found: OverviewAnswer; went: TrendsAnswer | undefined; since: string; companyId: string }

export function Figures({ found, went, since, companyId }: Props) {
  const { open, fresh, blocked, scanHistories } = found
  const trends = went && trendsOf(went)
  const breached = open.slaStates.find(({ value }) => value === 'BREACHED')?.count ?? 0
  const sinceThen = `since=${encodeURIComponent(since)}`
  return (
    <ul className={styles.figures} aria-label="Key figures">
      <Figure
        name={`New since ${agoInFull(Date.parse(since), Date.now())}`}
        value={fresh.total}
        path={to.findings({ companyId }, sinceThen)}
        trend={trends?.opened}
      >
        <SeverityCounts
          of={fresh.severities}
          pathOf={(severity) => to.findings({ companyId }, `${sinceThen}&severity=${severity}`)}
        />
      </Figure>
      <Figure
        name="Overdue"
        value={breached}
        path={to.findings({ companyId }, 'due=BREACHED')}
        trend={trends?.breached}
        isBad
      >
        of <Link to={to.findings({ companyId })}>{counted(open.total, 'open finding')}</Link>
      </Figure>
      <Figure
        name="Blocked deploys"
        value={blocked.metadata.totalCount}
        path={to.deploys({ companyId }, 'gate=BLOCK')}
        trend={trends?.blocked}
        isBad
      >
        by current gate rules
      </Figure>
      <Figure
        name="Known exploited"
        value={open.knownExploited}
        path={to.findings({ companyId }, 'exploited=yes')}
        isBad
      >
        in CISA’s KEV catalog
      </Figure>
      <Figure
        name="Failed scans"
        value={scanHistories.metadata.totalCount}
        path={to.scans({ companyId }, 'state=FAILED&since=7d')}
        trend={trends?.failed}
        isBad
      >
        in the last 7 days
      </Figure>
    </ul>
  )
}

type FigureProps = {
  name: string
  value: number
  path: string
  trend?: FigureTrend
  isBad?: boolean
  children: ReactNode
}

function Figure({ name, value, path, trend, isBad = false, children }: FigureProps) {
  return (
    <li className={styles.figure} data-bad={(isBad && value > 0) || undefined} title={trend && historyOf(trend)}>
      <Link to={path} className={styles.whole}>
        <span className={styles.name}>{name}</span>
        <strong className={styles.value}>{count(value)}</strong>
      </Link>
      <span className={styles.beside}>{children}</span>
      <span className={styles.trend}>{trend && <Sparkline {...trend} />}</span>
    </li>
  )
}
