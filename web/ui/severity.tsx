// A severity, always with the same shape as well as colour, so that it can be told without either.

import type { EnumOf } from '../api/graphql.ts'
import { wordsOf } from '../util/words.ts'
import styles from './severity.module.css'

export type Severity = EnumOf<'SeverityCategory'>

/** Worst first, as in lists and filters. */
export const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NOTIFICATION'] as const satisfies readonly Severity[]

const shapes: Record<Severity, string> = { CRITICAL: '◆', HIGH: '▲', MEDIUM: '●', LOW: '○', NOTIFICATION: '·' }

/** The shape alone, where a word would crowd; screen readers get the name. */
export function SeverityMark({ of }: { of: Severity }) {
  return (
    <span className={`${styles.mark} ${styles[of]}`} title={wordsOf(of)}>
      <span aria-hidden>{shapes[of]}</span>
      <span className="heard">{wordsOf(of)}</span>
    </span>
  )
}

export function SeverityBadge({ of }: { of: Severity }) {
  return (
    <span className={`${styles.badge} ${styles[of]}`}>
      <span aria-hidden className={styles.mark}>
        {shapes[of]}
      </span>
      {wordsOf(of)}
    </span>
  )
}
