// The result of reviewing a deploy's diff: secrets, risky code and packages, what was not read, and what a person should look at.

import { useEffect } from 'react'
import { Link } from 'react-router'
import type { EnumOf } from '../../api/graphql.ts'
import { useCompanyId } from '../../frame/company.ts'
import { to } from '../../util/path-builder.ts'
import { count, counted, wordsOf } from '../../util/words.ts'
import styles from './deploys.module.css'
import type { DeployDetail } from './documents.ts'

type Review = NonNullable<DeployDetail['review']>

/** Milliseconds between polls while the review is under way. */
const PAUSE = 2_000

const isUnderReview = ({ review }: DeployDetail): boolean => review?.state === 'PENDING' || review?.state === 'RUNNING'

/** Polls the deploy while its diff is reviewed, because that can change the verdict and the findings. */
export function useReviewProgress(deploy: DeployDetail, again: () => Promise<void>): void {
  const isRunning = isUnderReview(deploy)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => void again(), PAUSE)
    return () => clearInterval(timer)
  }, [isRunning, again])
}

/** The review in one sentence. */
export function ReviewSummary({ review }: { review: Review }) {
  const companyId = useCompanyId()
  const { state, files, packages, findings, created, reason, controlSyncStatusId } = review
  if (state === 'PENDING') return <>queued: secrets, risky code and packages; the verdict may change</>
  if (state === 'RUNNING') return <>running: secrets, risky code and packages; the verdict may change</>
  if (state === 'FAILED') return <span className={styles.removed}>failed: {reason}</span>
  return (
    <>
      {counted(files, 'file')} and {counted(packages, 'package version')}: {counted(findings, 'finding')}
      {created > 0 && (
        <>
          ,{' '}
          {controlSyncStatusId === null ? (
            `${count(created)} new`
          ) : (
            <Link to={to.findings({ companyId }, `status=any&scan=${controlSyncStatusId}`)}>{count(created)} new</Link>
          )}
        </>
      )}
    </>
  )
}

/** The parts of the diff that the review did not read, and why; renders nothing if it read everything. */
export function Unread({ review }: { review: Review }) {
  if (review.unread.length === 0) return null
  return (
    <details>
      <summary className="muted">{counted(review.unread.length, 'part')} of the diff not reviewed</summary>
      <ul className={styles.looked}>
        {review.unread.map(({ area, path, reason }) => (
          <li key={`${area} ${path} ${reason}`}>
            {path !== null && <code>{path}</code>} <span className="muted">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const areas: Record<EnumOf<'SensitiveArea'>, string> = {
  AUTHENTICATION: 'Authentication',
  AUTHORIZATION: 'Authorization',
  CRYPTOGRAPHY: 'Cryptography',
  CI: 'Build pipeline',
  INFRASTRUCTURE: 'Infrastructure',
}

/** Sensitive changes that are not findings but need a person's eye, grouped by area. */
export function Sensitive({ changes }: { changes: DeployDetail['sensitiveChanges'] }) {
  if (changes.length === 0) return null
  const byArea = Map.groupBy(changes, ({ area }) => area)
  return (
    <section aria-label="Sensitive changes">
      <h2>
        Sensitive changes <span className="muted number">{count(changes.length)}</span>
      </h2>
      {[...byArea].map(([area, ofArea]) => (
        <details key={area}>
          <summary>
            {areas[area] ?? wordsOf(area)} <span className="muted number">{count(ofArea.length)}</span>
          </summary>
          <ul className={styles.looked}>
            {ofArea.map(({ path, reason }) => (
              <li key={`${path} ${reason}`}>
                {path !== null && <code>{path}</code>} <span className="muted">{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
