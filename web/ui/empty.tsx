// The empty state of a page: what would be here, and the command or button that fills it.

import type { ReactNode } from 'react'
import { CommandLine } from './command-line.tsx'
import styles from './empty.module.css'

export function Empty({ title, command, children }: { title: string; command?: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
      {command !== undefined && <CommandLine command={command} />}
    </div>
  )
}
