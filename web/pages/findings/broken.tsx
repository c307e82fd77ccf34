// The requirements that a finding violates, each with its checks, the attack pattern behind them, and how to waive them.

import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql, type ResultOf } from '../../api/graphql.ts'
import { useCompanyId } from '../../frame/company.ts'
import { Answered } from '../../ui/answered.tsx'
import { Moment } from '../../ui/moment.tsx'
import { openStatuses } from '../../ui/status.tsx'
import { to } from '../../util/path-builder.ts'
import { patternOf } from '../requirements/pattern.ts'
import { StateWord } from '../requirements/states.tsx'
import styles from './panel.module.css'

const BrokenRequirements = graphql(`
  query BrokenRequirements($id: ID!) {
    issue(id: $id) {
      id
      status
      cweIds
      brokenChecks {
        id
        label
        capecId
        state
        waiver { until }
        requirement { id label project { id label } }
      }
    }
  }
`)

type Issue = ResultOf<typeof BrokenRequirements>['issue']
type Check = Issue['brokenChecks'][number]

function whyNone({ status, cweIds }: Issue): string {
  if (!openStatuses.some((open) => open === status)) return 'This finding is not open, so it violates no requirement.'
  if (cweIds.length === 0) return 'This finding names no weakness, so it violates no requirement.'
  return `No requirement has an attack pattern that uses ${cweIds.map((id) => `CWE-${id}`).join(' or ')}.`
}

export function Broken({ issueId }: { issueId: string }) {
  const answer = useAsk(BrokenRequirements, { id: issueId }, { affectedBy: ['Check', 'Requirement'] })
  return (
    <Answered of={answer} lines={3}>
      {({ issue }) =>
        issue.brokenChecks.length === 0 ? (
          <p className="muted">{whyNone(issue)}</p>
        ) : (
          <ul className={styles.broken}>
            {[...Map.groupBy(issue.brokenChecks, ({ requirement }) => requirement.id)].map(([id, checks]) => (
              <Requirement key={id} checks={checks} />
            ))}
          </ul>
        )
      }
    </Answered>
  )
}

function Requirement({ checks }: { checks: readonly Check[] }) {
  const companyId = useCompanyId()
  const [first] = checks
  if (!first) return null
  const { id, label, project } = first.requirement
  return (
    <li>
      <Link to={to.requirement({ companyId, requirementId: id })}>{label}</Link>
      {project && (
        <span className="muted">
          {' '}
          of <Link to={to.project({ companyId, projectId: project.id })}>{project.label}</Link>
        </span>
      )}
      <ul>
        {checks.map((check) => (
          <li key={check.id} className="row">
            <StateWord of={check.state} />
            <span>{patternOf(check)}</span>
            {check.state === 'WAIVED' && check.waiver && (
              <span className="muted">
                until <Moment at={check.waiver.until} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </li>
  )
}
