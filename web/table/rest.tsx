// The end of a list that is not a table: how many rows are shown out of how many, and the button that loads more.

import { Button } from '../ui/button.tsx'
import { count, counted } from '../util/words.ts'
import styles from './rest.module.css'
import type { List } from './use-list.ts'

/** `what` is the singular noun for a row, such as "webhook". */
export function Rest<Row>({ of: { rows, total, hasMore, more }, what }: { of: List<Row>; what: string }) {
  if (!hasMore || total === null) return null
  return (
    <div className={styles.rest}>
      <span className="muted" role="status">
        Showing {count(rows.length)} of {total.isExact ? '' : 'more than '}
        {counted(total.count, what)}.
      </span>
      <Button size="small" onClick={more}>
        Show more
      </Button>
    </div>
  )
}
