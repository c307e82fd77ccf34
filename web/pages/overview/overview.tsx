// The overview: what matters today, how it developed, and what needs attention; every figure links to the list behind it.

import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { type Answer, useAsk } from '../../api/ask.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Page } from '../../frame/page.tsx'
import { Answered } from '../../ui/answered.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import listed from '../../ui/listed.module.css'
import { Moment } from '../../ui/moment.tsx'
import { SeverityCounts } from '../../ui/severity-counts.tsx'
import { openStatuses } from '../../ui/status.tsx'
import { Verdict } from '../../ui/verdict.tsx'
import { lastVisit, noteVisit } from '../../util/last-visit.ts'
import { to } from '../../util/path-builder.ts'
import { counted, POINTS, riskOf, withGateWords } from '../../util/words.ts'
import { Changed } from './changed.tsx'
import { Overview, type OverviewAnswer, Trends, type TrendsAnswer } from './documents.ts'
import { Figures } from './figures.tsx'
import { sinceKept } from './happened.ts'
import { Needs, Running } from './needs.tsx'
import { OpenTrend } from './open-trend.tsx'
import styles from './overview.module.css'
import { DAYS } from './trends.ts'

const DAY = 86_400_000
const DAYS_SHOWN = 90
const affectedBy = ['Issue', 'Deploy', 'GatePolicy', 'ControlSyncStatus']

export function Component() {
  const companyId = useCompanyId()
  // Fixed when the page opens, so that the queries stay the same while it is open.
  const [{ since, from, lately, week }] = useState(() => ({
    since: sinceKept(lastVisit(companyId) ?? new Date(Date.now() - 7 * DAY).toISOString()),
    from: new Date(Date.now() - DAYS_SHOWN * DAY).toISOString(),
    lately: new Date(Date.now() - (2 * DAYS - 1) * DAY).toISOString(),
    week: new Date(Date.now() - 7 * DAY).toISOString(),
  }))
  useEffect(() => noteVisit(companyId), [companyId])
  const answer = useAsk(
    Overview,
    {
      companyId,
      open: { statuses: [...openStatuses] },
      fresh: { statuses: [...openStatuses], createdAtRange: { startDate: since } },
      week: { statuses: ['FAILED'], createdAtRange: { startDate: week } },
    },
    { affectedBy },
  )
  const went = useAsk(Trends, { companyId, from, lately }, { affectedBy })
  return (
    <Page title="Overview">
      <Answered of={answer} lines={14}>
        {(found) => <Shown found={found} went={went} since={since} companyId={companyId} />}
      </Answered>
    </Page>
  )
}

type Props = { found: OverviewAnswer; went: Answer<TrendsAnswer>; since: string; companyId: string }

function Shown({ found, went, since, companyId }: Props) {
  const { open, deploys, assets } = found
  if (open.total === 0 && deploys.collection.length === 0 && assets.collection.length === 0) {
    return (
      <Empty title="No assets yet" command='merlon asset create "my-service"'>
        <p>Create an asset, then drop a scanner report on its page.</p>
        <ButtonLink tone="main" to={to.assets({ companyId })}>
          Go to assets
        </ButtonLink>
      </Empty>
    )
  }
  return (
    <div className={styles.overview}>
      <Figures found={found} went={went.data} since={since} companyId={companyId} />
      <Changed companyId={companyId} since={since} />
      <section>
        <OpenTrend
          went={went}
          pathOf={(severity) => to.findings({ companyId }, `severity=${severity}`)}
          days={DAYS_SHOWN}
        />
      </section>
      <div className={styles.columns}>
        <Needs found={found} companyId={companyId} />
        <Riskiest assets={assets} companyId={companyId} />
        <Running running={found.running} companyId={companyId} />
        <LatestDeploys deploys={deploys} companyId={companyId} />
      </div>
    </div>
  )
}

function Riskiest({ assets, companyId }: { assets: OverviewAnswer['assets']; companyId: string }) {
  return (
    <section>
      <h2>Riskiest assets</h2>
      <ul className={`${listed.list} ${styles.ranked}`}>
        {assets.collection.map(({ id, name, riskScore, pendingVulnerabilitiesStats }) => (
          <li key={id}>
            <Link to={to.asset({ companyId, assetId: id })}>{name}</Link>
            <span className={styles.side}>
              <SeverityCounts
                of={pendingVulnerabilitiesStats}
                pathOf={(severity) => to.findings({ companyId }, `asset=${id}&severity=${severity}`)}
                isInColumns
              />
              <Link
                className={styles.risk}
                to={to.findings({ companyId }, `asset=${id}`)}
                title={`Risk, below 100 however many findings there are. ${POINTS}`}
              >
                risk <span className="number">{riskOf(riskScore.current.value)}</span>
                {', '}
                <span className="number">{counted(riskScore.current.points, 'point')}</span>
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LatestDeploys({ deploys, companyId }: { deploys: OverviewAnswer['deploys']; companyId: string }) {
  return (
    <section>
      <h2>Latest deploys</h2>
      {deploys.collection.length === 0 && <p className="muted">No deploys yet.</p>}
      <ul className={listed.list}>
        {deploys.collection.map(({ id, asset, currentCommit, gate, createdAt }) => (
          <li key={id} title={withGateWords(gate.sentence)}>
            <span className="row">
              <Verdict of={gate.decision} isJudged={gate.isJudged} />
              <Link to={to.deploy({ companyId, deployId: id })}>
                {asset.name} <span className="code">{currentCommit.slice(0, 8)}</span>
              </Link>
            </span>
            <span className="muted">
              <Moment at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
