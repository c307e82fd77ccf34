// A finding in a diff, with what the deploy did to it in words.

import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { SeverityMark } from '../../ui/severity.tsx'
import { to } from '../../util/path-builder.ts'
import styles from './deploys.module.css'
import type { PlacedFinding } from './documents.ts'

type Look = 'introduced' | 'touched' | 'fixed' | 'moved'

const lookOf = ({ kind, isFixed }: PlacedFinding): Look => {
  if (kind === 'INTRODUCED') return 'introduced'
  if (kind === 'TOUCHED') return 'touched'
  return kind === 'REMOVED' && isFixed ? 'fixed' : 'moved'
}

function wordsOf({ kind, isFixed, oldLine, newLine }: PlacedFinding, isGhost: boolean): string {
  const went = newLine === null ? 'elsewhere' : `to line ${newLine}`
  if (isGhost) return `was here, ${kind === 'TOUCHED' ? 'touched and moved' : 'moved'} ${went}`
  const came = oldLine === null || oldLine === newLine ? '' : ` from line ${oldLine}`
  if (kind === 'INTRODUCED') return 'introduced'
  if (kind === 'TOUCHED') return `touched${came && `, moved${came}`}`
  if (kind === 'MOVED') return `moved${came}`
  if (kind === 'RENAMED') return `file renamed${came && `, moved${came}`}`
  return isFixed ? 'fixed' : 'removed here, seen again since'
}

export function Placed({ finding, isGhost = false }: { finding: PlacedFinding; isGhost?: boolean }) {
  const companyId = useCompanyId()
  const { issue } = finding
  return (
    <span className={styles.placed} data-what={lookOf(finding)} data-ghost={isGhost || undefined}>
      <SeverityMark of={issue.severity} /> <Link to={to.finding({ companyId, issueId: issue.id })}>{issue.title}</Link>{' '}
      <span className="muted">{wordsOf(finding, isGhost)}</span>
    </span>
  )
}
