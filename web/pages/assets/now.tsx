// How an asset stands now: how what is open on it went, its worst findings, its last deploys and its last scans.

import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Answered } from '../../ui/answered.tsx'
import { DueAt } from '../../ui/due-at.tsx'
import { Listed } from '../../ui/listed.tsx'
import { Moment } from '../../ui/moment.tsx'
import { SeverityMark } from '../../ui/severity.tsx'
import { openStatuses } from '../../ui/status.tsx'
import { StandingWord, Verdict } from '../../ui/verdict.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, toolName, withToolNames, wordsOf } from '../../util/words.ts'
import { OpenTrend } from '../overview/open-trend.tsx'
import { standings } from '../scans/standings.ts'
import styles from './asset.module.css'

const AssetNow = graphql(`
  query AssetNow($companyId: ID!, $assetIds: [ID!], $open: IssuesFiltersInput) {
    issues(
      companyId: $companyId
      filters: $open
      sortOptions: [{ field: PRIORITY, order: DESC }]
      pagination: { perPage: 6 }
    ) {
      collection { id title severity sla { state dueAt } }
    }
    deploys(companyId: $companyId, assetIds: $assetIds, pagination: { perPage: 4 }) {
      collection { id branchName currentCommit createdAt gate { decision isJudged } }
    }
    scanHistories(companyId: $companyId, assetIds: $assetIds, pagination: { perPage: 4 }) {
      collection { id status integration failureReason importedVulnerabilityCount createdAt }
    }
  }
`)

const AssetTrend = graphql(`
  query AssetTrend($companyId: ID!, $filters: IssuesFiltersInput, $from: ISO8601DateTime) {
    issuesTrend(companyId: $companyId, filters: $filters, from: $from, interval: DAY) {
      start
      end
      open { all critical high medium low notification }
      opened { all }
      closed { all }
    }
  }
`)

const DAYS = 90

type Props = {
  assetId: string
  open: number
  /** How many reports have been imported since the page was opened: each changes all that is shown here. */
  imported: number
}

export function Now({ assetId, open, imported }: Props) {
  const companyId = useCompanyId()
  const [from] = useState(() => new Date(Date.now() - DAYS * 86_400_000).toISOString())
  const assetIds = [assetId]
  const affectedBy = ['Issue', 'Deploy', 'ControlSyncStatus']
  const went = useAsk(AssetTrend, { companyId, filters: { assetIds }, from }, { affectedBy })
  const answer = useAsk(
    AssetNow,
    { companyId, assetIds, open: { assetIds, statuses: [...openStatuses] } },
    { affectedBy },
  )
  const look = useEffectEvent(() => void Promise.all([went.again(), answer.again()]))
  useEffect(() => {
    if (imported > 0) look()
  }, [imported])
  return (
    <div className={styles.now}>
      <section>
        <OpenTrend
          went={went}
          days={DAYS}
          pathOf={(severity) => to.findings({ companyId }, `asset=${assetId}&severity=${severity}`)}
        />
      </section>
      <Answered of={answer} lines={8}>
        {(found) => <Lists found={found} companyId={companyId} assetId={assetId} open={open} />}
      </Answered>
    </div>
  )
}

type Found = ResultOf<typeof AssetNow>
function Lists({
  found,
  companyId,
  assetId,
  open,
}: {
  found: Found
  companyId: string
  assetId: string
  open: number
}) {
  return (
    <>
      <MostUrgent issues={found.issues.collection} companyId={companyId} assetId={assetId} open={open} />
      <LatestDeploys deploys={found.deploys.collection} companyId={companyId} />
      <LatestScans scans={found.scanHistories.collection} companyId={companyId} assetId={assetId} />
    </>
  )
}

type Issues = Found['issues']['collection']
type Deploys = Found['deploys']['collection']
type Scans = Found['scanHistories']['collection']

type MostUrgentProps = { issues: Issues; companyId: string; assetId: string; open: number }

function MostUrgent({ issues, companyId, assetId, open }: MostUrgentProps) {
  return (
    <section>
      <h2>Most urgent</h2>
      {issues.length === 0 && <p className="muted">No open findings.</p>}
      <Listed
        rows={issues.map(({ id, title, severity, sla }) => ({
          key: id,
          what: (
            <>
              <SeverityMark of={severity} /> <Link to={to.finding({ companyId, issueId: id })}>{title}</Link>
            </>
          ),
          when: sla && <DueAt {...sla} />,
        }))}
      />
      {open > issues.length && (
        <p className={styles.all}>
          <Link to={to.findings({ companyId }, `asset=${assetId}`)}>All {counted(open, 'open finding')}</Link>
        </p>
      )}
    </section>
  )
}

function LatestDeploys({ deploys, companyId }: { deploys: Deploys; companyId: string }) {
  return (
    <section>
      <h2>Latest deploys</h2>
      {deploys.length === 0 && <p className="muted">No deploys yet.</p>}
      <Listed
        rows={deploys.map(({ id, branchName, currentCommit, createdAt, gate }) => ({
          key: id,
          what: (
            <span className="row">
              <Verdict of={gate.decision} isJudged={gate.isJudged} />
              <Link to={to.deploy({ companyId, deployId: id })} className="code">
                {currentCommit.slice(0, 10)}
              </Link>
              <span className="muted code">{branchName}</span>
            </span>
          ),
          when: <Moment at={createdAt} />,
        }))}
      />
    </section>
  )
}

function LatestScans({ scans, companyId, assetId }: { scans: Scans; companyId: string; assetId: string }) {
  return (
    <section>
      <h2>Latest scans</h2>
      {scans.length === 0 && <p className="muted">No scans yet.</p>}
      <Listed
        rows={scans.map((scan) => ({
          key: scan.id,
          what: (
            <span className="row">
              <StandingWord of={standings[scan.status]}>{wordsOf(scan.status)}</StandingWord>
              {toolName(scan.integration)}
              <span className="muted">{cameTo(scan)}</span>
            </span>
          ),
          when: <Moment at={scan.createdAt} />,
        }))}
      />
      {scans.length > 0 && (
        <p className={styles.all}>
          <Link to={to.scans({ companyId }, `asset=${assetId}`)}>All scans</Link>
        </p>
      )}
    </section>
  )
}

function cameTo({ status, failureReason, importedVulnerabilityCount: seen }: Scans[number]) {
  if (failureReason !== null) return withToolNames(failureReason)
  return status === 'PENDING' ? '' : counted(seen, 'finding')
}
