// The outcome of an import: how many rows ended in which way, or why it failed.

import { counted } from '../../util/words.ts'
import styles from './asset.module.css'
import type { ImportRow } from './documents.ts'

export function ImportOutcome({
  of: { result, failure, status },
}: {
  of: Pick<ImportRow, 'result' | 'failure' | 'status'>
}) {
  if (failure) return <span className={styles.bad}>{failure.message}</span>
  if (!result) return <span className="muted">{status === 'RUNNING' ? 'running' : 'queued'}</span>
  const parts: [number, string][] = [
    [result.created, 'new'],
    [result.updated, 'updated'],
    [result.unchanged, 'unchanged'],
    [result.reopened, 'reopened'],
    [result.merged, 'merged'],
    [result.closed, 'closed'],
    [result.leftOut, 'left out'],
    [result.components, result.components === 1 ? 'component' : 'components'],
  ]
  const told = parts.filter(([many]) => many > 0)
  return (
    <span className={styles.result}>
      {told.length === 0
        ? 'no findings'
        : told.map(([many, word]) => <span key={word}>{counted(many, word, word)}</span>)}
    </span>
  )
}
