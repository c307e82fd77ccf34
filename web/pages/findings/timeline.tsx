// What happened to a finding, newest first: what was done, by whom, and the reason in their words.

import { Moment } from '../../ui/moment.tsx'
import { wordsOf } from '../../util/words.ts'
import type { FindingDetail } from './documents.ts'
import styles from './panel.module.css'

type Event = FindingDetail['history'][number]

const authors: Record<string, string> = { PERSON: 'a person', SCAN: 'a scan', SYSTEM: 'Merlon' }

function sentenceOf({ action, previousStatus, status, assigneeEmail }: Event): string {
  if (status && previousStatus) return `${wordsOf(previousStatus)} → ${wordsOf(status)}`
  if (assigneeEmail) return `${wordsOf(action)}: ${assigneeEmail}`
  return wordsOf(action)
}

export function Timeline({ events }: { events: readonly Event[] }) {
  if (events.length === 0) return null
  return (
    <section aria-label="Timeline">
      <h3>What happened</h3>
      <ol className={styles.events}>
        {events.map((event) => (
          <li key={event.eventId}>
            <div>{sentenceOf(event)}</div>
            {event.reason && <div className="words">{event.reason}</div>}
            <div className={styles.muted}>
              {event.authorEmail ?? authors[event.kind] ?? event.kind}, <Moment at={event.at} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
