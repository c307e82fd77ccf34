// What needs somebody: dates that pass, integrations that are refused, scans that failed and scans that run.

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Moment } from '../../ui/moment.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { toolName } from '../../util/words.ts'
import type { OverviewAnswer } from './documents.ts'
import styles from './overview.module.css'

type Need = { key: string; what: ReactNode; when: ReactNode }

export function Needs({ found, companyId }: { found: OverviewAnswer; companyId: string }) {
  const needs: Need[] = [
    ...found.integrations.collection
      .filter(({ brokenSince }) => brokenSince !== null)
      .map(({ id, integrationType, brokenSince }) => ({
        key: `integration ${id}`,
        what: <Link to={to.integrations({ companyId })}>{toolName(integrationType)} refuses its credential</Link>,
        when: brokenSince && <Moment at={brokenSince} />,
      })),
    ...found.running.collection.map(({ id, asset, createdAt }) => ({
      key: `running ${id}`,
      what: <Link to={to.scans({ companyId })}>{asset.name} is being scanned</Link>,
      when: <Moment at={createdAt} />,
    })),
    ...found.scanHistories.collection.map(({ id, asset, failureReason, createdAt }) => ({
      key: `scan ${id}`,
      what: (
        <>
          <Link to={to.scans({ companyId })}>The scan of {asset.name} failed</Link>
          {failureReason ? `: ${failureReason}` : ''}
        </>
      ),
      when: <Moment at={createdAt} />,
    })),
    ...found.due.collection.map(({ id, title, severity, asset, sla }) => ({
      key: `due ${id}`,
      what: (
        <>
          <SeverityMark of={severity} /> <Link to={to.finding({ companyId, issueId: id })}>{title}</Link>{' '}
          <span className="muted">{asset.name}</span>
        </>
      ),
      when: sla && (
        <span className={sla.state === 'BREACHED' ? styles.late : undefined}>
          due <Moment at={sla.dueAt} />
        </span>
      ),
    })),
  ]
  return (
    <section>
      <h2>Needs you</h2>
      {needs.length === 0 && <p className="muted">Nothing waits for anybody.</p>}
      <ul className={styles.list}>
        {needs.map(({ key, what, when }) => (
          <li key={key}>
            <span className="cut">{what}</span>
            <span className="muted">{when}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
