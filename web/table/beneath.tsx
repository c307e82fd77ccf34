// What a narrow list has no columns for, in one line below what a row is called.

import { Fragment, type ReactNode } from 'react'
import styles from './data-table.module.css'

type Props = {
  /** Of columns that are left out where the page is narrow; parts that are not there are left out. */
  of?: readonly ReactNode[]
  /** Of those that are left out on a phone alone. */
  onPhone?: readonly ReactNode[]
}

const isThere = (part: ReactNode): boolean => part !== null && part !== undefined && part !== '' && part !== false

export function Beneath({ of = [], onPhone = [] }: Props) {
  const [parts, others] = [of.filter(isThere), onPhone.filter(isThere)]
  if (parts.length + others.length === 0) return null
  return (
    <span data-beneath="" className={`${styles.beneath} ${parts.length === 0 ? styles.onPhone : ''}`}>
      {joined(parts)}
      {others.length > 0 && (
        <span className={styles.onPhone}>
          {parts.length > 0 && ' · '}
          {joined(others)}
        </span>
      )}
    </span>
  )
}

const joined = (parts: readonly ReactNode[]) =>
  parts.map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their places
    <Fragment key={place}>
      {place > 0 && ' · '}
      {part}
    </Fragment>
  ))
