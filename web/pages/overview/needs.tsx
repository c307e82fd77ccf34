// What needs attention: blocked deploys, dates that are due, rejected integrations and failed scans; also the scans that run.

import { Link } from 'react-router'
import { DueAt } from '../../ui/due-at.tsx'
import { Listed, type ListedRow } from '../../ui/listed.tsx'
import { Moment } from '../../ui/moment.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { count, toolName, withToolNames } from '../../util/words.ts'
import type { OverviewAnswer } from './documents.ts'
import styles from './overview.module.css'

export function Needs({ found, companyId }: { found: OverviewAnswer; companyId: string }) {
  const needs: ListedRow[] = [
    ...blockedHeads(found.deploys.collection).map(({ id, asset, branchName, currentCommit, createdAt }) => ({
      key: `deploy ${id}`,
      what: (
        <>
          <Verdict of="BLOCK" />{' '}
          <Link to={to.deploy({ companyId, deployId: id })}>
            {asset.name} <span className="code">{currentCommit.slice(0, 8)}</span>
          </Link>{' '}
          <span className="muted code">{branchName}</span>
        </>
      ),
      when: <Moment at={createdAt} />,
    })),
    ...found.integrations.collection
      .filter(({ brokenSince }) => brokenSince !== null)
      .map(({ id, integrationType, brokenSince }) => ({
        key: `integration ${id}`,
        what: <Link to={to.integrations({ companyId })}>{toolName(integrationType)} refuses its credential</Link>,
        when: brokenSince && <Moment at={brokenSince} />,
      })),
    ...found.scanHistories.collection.map(({ id, asset, failureReason, createdAt }) => ({
      key: `scan ${id}`,
      what: (
        <>
          <Link to={to.scans({ companyId }, 'state=FAILED')}>The scan of {asset.name} failed</Link>
          {failureReason ? `: ${withToolNames(failureReason)}` : ''}
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
      when: sla && <DueAt {...sla} />,
    })),
  ]
  return (
    <section aria-label="Needs attention">
      <h2>Needs attention</h2>
      {needs.length === 0 && <p className="muted">Nothing needs attention.</p>}
      <Listed rows={needs} />
      <Unnamed found={found} companyId={companyId} />
    </section>
  )
}

type Deploy = OverviewAnswer['deploys']['collection'][number]

/**
 * The blocked ones among the newest deploys of their branches, unless somebody has decided on them: what came before a
 * branch's newest deploy is no longer waiting for anybody, nor is what came late.
 */
function blockedHeads(deploys: readonly Deploy[]): Deploy[] {
  const branchOf = ({ asset, branchName }: Deploy) => JSON.stringify([asset.id, branchName])
  const moves = deploys.filter(({ lineage }) => lineage !== 'LATE')
  const heads = [...new Map(moves.toReversed().map((deploy) => [branchOf(deploy), deploy])).values()].toReversed()
  return heads.filter(
    ({ gate, status }) =>
      gate.isJudged && gate.decision === 'BLOCK' && (status === 'PENDING' || status === 'IN_REVIEW'),
  )
}

/** What the list above does not name: further due findings and failed scans, and integrations that were not examined. */
function Unnamed({
  found: { due, integrations, scanHistories },
  companyId,
}: {
  found: OverviewAnswer
  companyId: string
}) {
  const [dueCount, failedCount] = [due.metadata.totalCount, scanHistories.metadata.totalCount]
  const { collection, metadata } = integrations
  return (
    <div className={styles.unnamed}>
      {dueCount > due.collection.length && (
        <Link to={to.findings({ companyId }, 'due=BREACHED,APPROACHING&order=SLA_DUE_AT-ASC')}>
          All {count(dueCount)}
          {due.metadata.totalCountIsExact ? '' : ' or more'} findings due soon or overdue
        </Link>
      )}
      {failedCount > scanHistories.collection.length && (
        <Link to={to.scans({ companyId }, 'state=FAILED&since=7d')}>All {count(failedCount)} failed scans</Link>
      )}
      {metadata.totalCount > collection.length && (
        <span className="muted">
          Only the newest {count(collection.length)} of {count(metadata.totalCount)} integrations were checked.
        </span>
      )}
    </div>
  )
}

/** The scans that run or wait to, some of them by name. */
export function Running({ running, companyId }: { running: OverviewAnswer['running']; companyId: string }) {
  const { totalCount } = running.metadata
  return (
    <section>
      <h2>
        Running scans{' '}
        {totalCount > 0 && (
          <Link className="number" to={to.scans({ companyId }, 'state=PENDING,RUNNING')}>
            {count(totalCount)}
          </Link>
        )}
      </h2>
      {totalCount === 0 && <p className="muted">No scans are running.</p>}
      <Listed
        rows={running.collection.map(({ id, status, asset, createdAt }) => ({
          key: id,
          what: (
            <>
              <Link to={to.asset({ companyId, assetId: asset.id }, 'scanner')}>{asset.name}</Link>{' '}
              <span className="muted">{status === 'PENDING' ? 'queued' : 'running'}</span>
            </>
          ),
          when: <Moment at={createdAt} />,
        }))}
      />
    </section>
  )
}
