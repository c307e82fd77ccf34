// The places of a finding on each branch, now and in the past.

import { Moment } from '../../ui/moment.tsx'
import { placeWords, wordsOf } from '../../util/words.ts'
import styles from './panel.module.css'
import type { FindingDetail } from './panel-documents.ts'

type Place = { path: string | null; line: number | null }

const Where = ({ at }: { at: Place }) => <code>{placeWords(at) || 'no file'}</code>

export function Places({ issue: { occurrences, places } }: { issue: FindingDetail }) {
  const before = places.filter(
    (place) => !occurrences.some(({ path, line, branchName }) => isSame(place, { path, line, branchName })),
  )
  if (occurrences.length === 0) return null
  return (
    <section>
      <h3>Locations</h3>
      <ul className={styles.places}>
        {occurrences.map((at) => (
          <li key={at.branchName}>
            <span>
              <Where at={at} /> {at.branchName ? `on ${at.branchName}` : ''}
            </span>
            <span className={styles.muted}>
              {at.isOpen ? 'seen' : 'gone, last seen'} <Moment at={at.lastSeenAt} />
              {at.disposition ? `, ${wordsOf(at.disposition).toLowerCase()}` : ''}
            </span>
          </li>
        ))}
      </ul>
      {before.length > 0 && (
        <details>
          <summary className={styles.muted}>Past locations ({before.length})</summary>
          <ul className={styles.places}>
            {before.map((at) => (
              <li key={`${at.at} ${at.branchName} ${at.path} ${at.line}`}>
                <span>
                  <Where at={at} /> {at.branchName ? `on ${at.branchName}` : ''}
                </span>
                <span className={styles.muted}>
                  <Moment at={at.at} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

type OnBranch = Place & { branchName: string | null }

const isSame = (left: OnBranch, right: OnBranch): boolean =>
  left.path === right.path && left.line === right.line && left.branchName === right.branchName
