// What lies beside the list that it was opened from; over it where the page is narrow.

import type { ReactNode } from 'react'
import styles from './side-panel.module.css'

export const SidePanel = ({ label, children }: { label: string; children: ReactNode }) => (
  <aside className={styles.panel} aria-label={label}>
    {children}
  </aside>
)
