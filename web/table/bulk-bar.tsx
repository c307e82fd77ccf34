// What is chosen in a list, above it: how many, and what can be done with them together.

import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { count } from '../util/words.ts'
import styles from './bulk-bar.module.css'

type Props = { chosen: string; onNone: () => void; children: ReactNode }

export function BulkBar({ chosen, onNone, children }: Props) {
  return (
    <section className={styles.bulk} aria-label="What is chosen">
      <span className="number">{chosen} chosen</span>
      {children}
      <Button size="small" tone="quiet" onClick={onNone}>
        Choose none
      </Button>
    </section>
  )
}

/** Said before something is done with all that are chosen: how many of them a narrowed list does not show; empty for none. */
export function notShown(chosen: number, unseen: number): string {
  if (unseen === 0) return ''
  const these = chosen === 1 ? 'It' : `${count(unseen)} of them`
  return ` ${these} ${unseen === 1 ? 'is' : 'are'} not in the list that is shown.`
}
