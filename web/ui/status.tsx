// The status of a finding: a word, and a ring that fills as work progresses.

import type { EnumOf } from '../api/graphql.ts'
import { wordsOf } from '../util/words.ts'
import styles from './status.module.css'

export type Status = EnumOf<'IssueStatusLabel'>

export const statuses = [
  'DRAFT',
  'CREATED',
  'IDENTIFIED',
  'IN_PROGRESS',
  'AWAITING_VALIDATION',
  'FIX_ACCEPTED',
  'RISK_ACCEPTED',
  'FALSE_POSITIVE',
  'SUPPRESSED',
] as const satisfies readonly Status[]

export const openStatuses = ['CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION'] as const

/** How full the ring is, 0 to 1; null for findings that were closed by a decision rather than a fix. */
const done: Record<Status, number | null> = {
  DRAFT: 0,
  CREATED: 0,
  IDENTIFIED: 0,
  IN_PROGRESS: 0.5,
  AWAITING_VALIDATION: 0.75,
  FIX_ACCEPTED: 1,
  RISK_ACCEPTED: null,
  FALSE_POSITIVE: null,
  SUPPRESSED: null,
}

/** The circumference of a circle of radius 5. */
const ROUND = 2 * Math.PI * 5

export function StatusWord({ of }: { of: Status }) {
  const part = done[of]
  return (
    <span className={styles.status}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden className={part === 1 ? styles.done : styles.ring}>
        <circle cx="6" cy="6" r="5" className={styles.track} strokeDasharray={of === 'DRAFT' ? '2 2' : undefined} />
        {part === null && <path d="M3 6h6" className={styles.bar} />}
        {part !== null && part > 0 && (
          <circle
            cx="6"
            cy="6"
            r="5"
            className={styles.fill}
            strokeDasharray={`${part * ROUND} ${ROUND}`}
            transform="rotate(-90 6 6)"
          />
        )}
      </svg>
      {wordsOf(of)}
    </span>
  )
}
