// One file of a deploy's diff; it starts unfolded if it has findings, or if it is among the first files and not big.

import { useState } from 'react'
import { counted, wordsOf } from '../../util/words.ts'
import styles from './deploys.module.css'
import type { DeployFile } from './documents.ts'
import { BIG } from './fold.ts'
import { Lines } from './lines.tsx'
import { Carried, Churn } from './table.tsx'

type Props = {
  file: DeployFile
  /** Whether it is among the first files, which start unfolded unless they are big. */
  isFirst: boolean
}

const touches = ({ findings: { moved, renamed, touched, removed } }: DeployFile): boolean =>
  moved + renamed + touched + removed > 0

export function ChangedFile({ file, isFirst }: Props) {
  const { oldPath, newPath, kind, binary, added, removed, placedFindings } = file
  const isBig = added + removed >= BIG
  const [isOpen, setOpen] = useState(placedFindings.length > 0 || (isFirst && !isBig))
  const introduced = placedFindings.filter((one) => one.kind === 'INTRODUCED').length
  const name = newPath ?? oldPath ?? 'unnamed file'
  return (
    <details className={styles.file} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.path}>
          {oldPath !== null && newPath !== null && oldPath !== newPath ? `${oldPath} → ${newPath}` : name}
        </span>
        {kind !== 'MODIFIED' && <span className="muted">{wordsOf(kind)}</span>}
        <span className="number">
          <Churn of={file} />
        </span>
        {isBig && <span className="muted">large</span>}
        {introduced > 0 && <strong>{counted(introduced, 'finding')} introduced</strong>}
        {touches(file) && (
          <span className="muted">
            <Carried of={file.findings} />
          </span>
        )}
      </summary>
      {isOpen && (binary ? <p className="muted">Binary file, not shown.</p> : <Lines file={file} />)}
    </details>
  )
}
