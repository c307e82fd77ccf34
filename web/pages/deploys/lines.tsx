// The lines of a file's diff with the findings in them; long unchanged stretches are folded until they are opened.

import { UnfoldVertical } from 'lucide-react'
import { Fragment, useMemo, useState } from 'react'
import { counted } from '../../util/words.ts'
import styles from './deploys.module.css'
import { type DiffLine, diffLines } from './diff-lines.ts'
import type { DeployFile, PlacedFinding } from './documents.ts'
import { type Stretch, stretchesOf } from './fold.ts'
import { Placed } from './placed.tsx'
import { type Seated, seat } from './sitting.ts'

/** The most lines of one file that are drawn. */
const MOST_LINES = 1_500

export function Lines({ file: { diff, placedFindings, newPath, oldPath } }: { file: DeployFile }) {
  const shown = useMemo(() => {
    const all = diff ? diffLines(diff.text) : []
    const lines = all.slice(0, MOST_LINES)
    const seated = seat(lines, placedFindings)
    const stretches = stretchesOf(lines, new Set(seated.byLine.keys()))
    return { lines, seated, stretches, isCut: all.length > MOST_LINES || diff?.isCut === true }
  }, [diff, placedFindings])
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const { lines, seated, stretches, isCut } = shown
  return (
    <>
      <Outside findings={seated.outside} />
      {diff ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className={styles.diff} tabIndex={0} aria-label={`Changed lines of ${newPath ?? oldPath}`}>
          <table className={styles.lines}>
            <tbody>
              {stretches.map((stretch) =>
                stretch.isFolded && !unfolded.has(stretch.from) ? (
                  <Fold
                    key={stretch.from}
                    stretch={stretch}
                    onUnfold={() => setUnfolded((before) => new Set([...before, stretch.from]))}
                  />
                ) : (
                  <Unfolded key={stretch.from} stretch={stretch} lines={lines} seated={seated} />
                ),
              )}
            </tbody>
          </table>
          {isCut && <p className="muted">Truncated. The full diff can be downloaded above.</p>}
        </section>
      ) : (
        <p className="muted">The diff does not mark where this file starts.</p>
      )}
    </>
  )
}

function Outside({ findings }: { findings: readonly PlacedFinding[] }) {
  if (findings.length === 0) return null
  return (
    <ul className={styles.outside} aria-label="Findings on lines not shown in the diff">
      {findings.map((finding) => (
        <li key={finding.issue.id}>
          <Placed finding={finding} />{' '}
          {finding.newLine !== null && <span className="muted number">line {finding.newLine}</span>}
        </li>
      ))}
    </ul>
  )
}

const Fold = ({ stretch: { from, to }, onUnfold }: { stretch: Stretch; onUnfold: () => void }) => (
  <tr className={styles.fold}>
    <td colSpan={3}>
      <button type="button" onClick={onUnfold}>
        <UnfoldVertical size={14} aria-hidden /> Show {counted(to - from, 'more line')}
      </button>
    </td>
  </tr>
)

type UnfoldedProps = { stretch: Stretch; lines: readonly DiffLine[]; seated: Seated }

function Unfolded({ stretch: { from, to }, lines, seated }: UnfoldedProps) {
  return lines.slice(from, to).map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their places
    <Fragment key={index}>
      <tr data-kind={line.kind}>
        <td className={styles.at}>{'old' in line && line.old}</td>
        <td className={styles.at}>{'new' in line && line.new}</td>
        <td>
          <span aria-hidden>{signs[line.kind]}</span>
          {line.kind !== 'same' && line.kind !== 'head' && <span className="heard">{line.kind}: </span>}
          {line.text}
        </td>
      </tr>
      {seated.byLine.get(from + index)?.map(({ finding, isGhost }) => (
        <tr key={finding.issue.id}>
          <td colSpan={3} className={styles.sits}>
            <Placed finding={finding} isGhost={isGhost} />
          </td>
        </tr>
      ))}
    </Fragment>
  ))
}

const signs = { head: '', same: ' ', added: '+', removed: '−' } as const
