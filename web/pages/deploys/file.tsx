// One file of a deploy's diff, with the findings in the lines that they sit on.

import { Fragment } from 'react'
import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { SeverityMark } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import { counted, wordsOf } from '../../util/words.ts'
import styles from './deploys.module.css'
import { diffLines } from './diff-lines.ts'
import type { DeployFile, DeployFinding } from './documents.ts'
import { Carried, Size } from './table.tsx'

/** A finding where it stands after the deploy. */
export type Sitting = { finding: DeployFinding; what: 'introduced' | 'touched'; path: string; line: number | null }

type Props = { file: DeployFile; sitting: readonly Sitting[]; isOpen: boolean }

/** The most lines that are drawn of one file. */
const MOST_LINES = 1_500

const touches = ({ findings: { moved, renamed, touched, removed } }: DeployFile): boolean =>
  moved + renamed + touched + removed > 0

export function ChangedFile({ file, sitting, isOpen }: Props) {
  const { oldPath, newPath, kind, binary } = file
  const name = newPath ?? oldPath ?? 'a file without a name'
  return (
    <details className={styles.file} open={isOpen}>
      <summary>
        <span className={styles.path}>
          {oldPath !== null && newPath !== null && oldPath !== newPath ? `${oldPath} → ${newPath}` : name}
        </span>
        {kind !== 'MODIFIED' && <span className="muted">{wordsOf(kind)}</span>}
        <span className="number">
          <Size of={{ ...file, files: 1 }} />
        </span>
        {sitting.length > 0 && <strong>{counted(sitting.length, 'finding')}</strong>}
        {touches(file) && (
          <span className="muted">
            <Carried of={file.findings} />
          </span>
        )}
      </summary>
      {binary ? (
        <p className="muted">A binary file; its content is not shown.</p>
      ) : (
        <Lines file={file} sitting={sitting} />
      )}
    </details>
  )
}

function Lines({ file: { diff }, sitting }: Pick<Props, 'file' | 'sitting'>) {
  if (!diff) return <p className="muted">The diff does not mark where this file begins.</p>
  const lines = diffLines(diff.text)
  const shown = lines.slice(0, MOST_LINES)
  const isOn = (line: number) => sitting.filter((one) => one.line === line)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.diff} tabIndex={0} aria-label="Changed lines">
      <table className={styles.lines}>
        <tbody>
          {shown.map((line, index) => {
            const old = 'old' in line ? line.old : ''
            const now = 'new' in line ? line.new : ''
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their places
              <Fragment key={index}>
                <tr data-kind={line.kind}>
                  <td className={styles.at}>{old}</td>
                  <td className={styles.at}>{now}</td>
                  <td>
                    <span aria-hidden>{signs[line.kind]}</span>
                    {line.kind !== 'same' && line.kind !== 'head' && <span className="heard">{line.kind}: </span>}
                    {line.text}
                  </td>
                </tr>
                {typeof now === 'number' && isOn(now).map((one) => <Sits key={one.finding.id} one={one} />)}
              </Fragment>
            )
          })}
        </tbody>
      </table>
      {(lines.length > MOST_LINES || diff.isCut) && (
        <p className="muted">There is more; the whole diff can be downloaded above.</p>
      )}
    </section>
  )
}

const signs = { head: '', same: ' ', added: '+', removed: '−' } as const

function Sits({ one: { finding, what } }: { one: Sitting }) {
  const companyId = useCompanyId()
  return (
    <tr>
      <td colSpan={3} className={styles.sits} data-what={what}>
        <SeverityMark of={finding.severity} />{' '}
        <Link to={to.finding({ companyId, issueId: finding.id })}>{finding.title}</Link>{' '}
        <span className="muted">{what}</span>
      </td>
    </tr>
  )
}
