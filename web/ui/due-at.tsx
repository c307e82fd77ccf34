// By when a finding is to be fixed, marked once that has passed.

import styles from './listed.module.css'
import { Moment } from './moment.tsx'

export const DueAt = ({ state, dueAt }: { state: string; dueAt: string }) => (
  <span className={state === 'BREACHED' ? styles.late : undefined}>
    due <Moment at={dueAt} />
  </span>
)
