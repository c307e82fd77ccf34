// What is chosen in a list, above it: how many, and what can be done with them together.

import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
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
