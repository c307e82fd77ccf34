// The end of a project; it is marked late if it has passed while work continues.

import type { EnumOf } from '../../api/graphql.ts'
import { Day } from '../../ui/day.tsx'
import styles from './projects.module.css'

type Props = { of: { endDate: string | null; status: EnumOf<'NewProjectStatusEnum'> } }

export function Ends({ of: { endDate, status } }: Props) {
  if (endDate === null) return <span className="muted">open</span>
  const isOver = status === 'DONE' || status === 'DISCONTINUED'
  const isLate = !isOver && Date.parse(endDate) + 86_400_000 < Date.now()
  return (
    <span className={isLate ? styles.late : undefined}>
      {isLate && 'late: '}
      <Day at={endDate} />
    </span>
  )
}
