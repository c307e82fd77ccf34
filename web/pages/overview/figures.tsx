// The figures that matter today, each a link to the list behind it.

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { SeverityCounts } from '../../ui/severity-counts.tsx'
import { to } from '../../util/path-builder.ts'
import { agoInFull, count, counted } from '../../util/words.ts'
import type { OverviewAnswer } from './documents.ts'
import styles from './overview.module.css'

type Props = { found: OverviewAnswer; since: string; companyId: string }

export function Figures({ found: { open, fresh, blocked, scanHistories }, since, companyId }: Props) {
  const breached = open.slaStates.find(({ value }) => value === 'BREACHED')?.count ?? 0
  return (
    <section className={styles.figures} aria-label="What matters today">
      <Figure
        name={`New since ${agoInFull(Date.parse(since), Date.now())}`}
        value={fresh.total}
        path={to.findings({ companyId }, `since=${encodeURIComponent(since)}`)}
      >
        <SeverityCounts of={fresh.severities} />
      </Figure>
      <Figure name="Past their date" value={breached} path={to.findings({ companyId }, 'due=BREACHED')} isBad>
        of {counted(open.total, 'open finding')}
      </Figure>
      <Figure
        name="Blocked deploys"
        value={blocked.metadata.totalCount}
        path={to.deploys({ companyId }, 'gate=BLOCK')}
        isBad
      >
        by the gates that hold now
      </Figure>
      <Figure
        name="Known to be exploited"
        value={open.knownExploited}
        path={to.findings({ companyId }, 'exploited=yes')}
        isBad
      >
        by CISA’s list
      </Figure>
      <Figure
        name="Scans in trouble"
        value={scanHistories.metadata.totalCount}
        path={to.scans({ companyId }, 'state=FAILED&since=7d')}
        isBad
      >
        in seven days
      </Figure>
    </section>
  )
}

type FigureProps = { name: string; value: number; path: string; isBad?: boolean; children: ReactNode }

function Figure({ name, value, path, isBad = false, children }: FigureProps) {
  return (
    <Link to={path} className={styles.figure} data-bad={(isBad && value > 0) || undefined}>
      <span className={styles.name}>{name}</span>
      <strong className={styles.value}>{count(value)}</strong>
      <span className={styles.beside}>{children}</span>
    </Link>
  )
}
