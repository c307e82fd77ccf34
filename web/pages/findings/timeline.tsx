// The history of a finding, newest first: what was done, by whom, and their reason.

import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { wordsOf } from '../../util/words.ts'
import styles from './panel.module.css'
import type { FindingDetail } from './panel-documents.ts'

type Event = FindingDetail['history'][number]

const authors: Record<string, string> = { PERSON: 'a person', SCAN: 'a scan', SYSTEM: 'Merlon' }

function sentenceOf({ action, previousStatus, status, assigneeEmail }: Event): string {
  const change = status && previousStatus ? `${wordsOf(previousStatus)} → ${wordsOf(status)}` : null
  if (action === 'SPLIT' || action === 'SPLIT_OFF') return [wordsOf(action), change].filter(Boolean).join(': ')
  if (change) return change
  if (assigneeEmail) return `${wordsOf(action)}: ${assigneeEmail}`
  return wordsOf(action)
}

export function Timeline({ events, assetId }: { events: readonly Event[]; assetId: string }) {
  if (events.length === 0) return null
  return (
    <section aria-label="Timeline">
      <h3>Timeline</h3>
      <ol className={styles.events}>
        {events.map((event) => (
          <li key={event.eventId}>
            <div>{sentenceOf(event)}</div>
            {event.reason && <div className="words">{event.reason}</div>}
            <div className={styles.muted}>
              {event.authorEmail ?? authors[event.kind] ?? event.kind}, <Moment at={event.at} />
              <Cause of={event} assetId={assetId} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Links to the deploy and the scan that caused the event; the scan's link leads to the scans of the asset. */
function Cause({ of: { deployId, controlSyncStatusId }, assetId }: { of: Event; assetId: string }) {
  const companyId = useCompanyId()
  return (
    <>
      {deployId !== null && (
        <>
          , <Link to={to.deploy({ companyId, deployId })}>deploy {deployId}</Link>
        </>
      )}
      {controlSyncStatusId !== null && (
        <>
          , <Link to={to.scans({ companyId }, `asset=${assetId}`)}>scan {controlSyncStatusId}</Link>
        </>
      )}
    </>
  )
}
