// What a phone has no columns for, in one line below what a row is called.

import { Fragment, type ReactNode } from 'react'
import styles from './data-table.module.css'

/** Parts that are not there are left out. */
export function Beneath({ of }: { of: readonly ReactNode[] }) {
  const parts = of.filter((part) => part !== null && part !== undefined && part !== '' && part !== false)
  if (parts.length === 0) return null
  return (
    <span className={styles.beneath}>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their places
        <Fragment key={place}>
          {place > 0 && ' · '}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
