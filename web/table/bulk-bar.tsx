// The bar above a list that shows how many rows are chosen and offers the actions that apply to all of them.

import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { count } from '../util/words.ts'
import styles from './bulk-bar.module.css'

type Props = { chosen: string; onNone: () => void; children: ReactNode }

export function BulkBar({ chosen, onNone, children }: Props) {
  return (
    <section className={styles.bulk} aria-label="Selection">
      <span className="number">{chosen} selected</span>
      {children}
      <Button size="small" tone="quiet" onClick={onNone}>
        Clear selection
      </Button>
    </section>
  )
}

/** The warning before a bulk action: how many of the chosen rows the current filters hide. Empty when they hide none. */
export function notShown(chosen: number, unseen: number): string {
  if (unseen === 0) return ''
  const these = chosen === 1 ? 'It' : `${count(unseen)} of them`
  return ` ${these} ${unseen === 1 ? 'is' : 'are'} not in the list shown.`
}
