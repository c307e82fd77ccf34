// A short list of things, each in one line with when it was or is due.

import type { ReactNode } from 'react'
import styles from './listed.module.css'

export type ListedRow = { key: string; what: ReactNode; when: ReactNode }

export const Listed = ({ rows }: { rows: readonly ListedRow[] }) => (
  <ul className={styles.list}>
    {rows.map(({ key, what, when }) => (
      <li key={key}>
        <span className="cut">{what}</span>
        <span className="muted">{when}</span>
      </li>
    ))}
  </ul>
)
