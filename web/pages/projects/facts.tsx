// What is known of a project: its number, goal, dates, people and assets, and the statuses that it had.

import { Link } from 'react-router'
import { useCompanyId } from '../../frame/company.ts'
import { Day } from '../../ui/day.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { to } from '../../util/path-builder.ts'
import { wordsOf } from '../../util/words.ts'
import type { ProjectAnswer } from './documents.ts'
import { Ends } from './ends.tsx'
import styles from './projects.module.css'

export function FactsOfProject({ of: project }: { of: ProjectAnswer['project'] }) {
  const companyId = useCompanyId()
  return (
    <Facts
      facts={[
        { name: 'Number', fact: <span className="code">{project.pid}</span> },
        { name: 'Type', fact: project.projectType?.label },
        { name: 'Goal', fact: <span className="words">{project.goal}</span> },
        { name: 'Scope', fact: <span className="words">{project.scope}</span> },
        { name: 'Start date', fact: project.startDate && <Day at={project.startDate} /> },
        { name: 'End date', fact: <Ends of={project} /> },
        {
          name: 'Analysts',
          fact: project.allocatedAnalyst.map(({ portalUser }) => portalUser?.name).join(', '),
        },
        {
          name: 'Assets',
          fact: project.assets.length > 0 && (
            <span className="row">
              {project.assets.map(({ id, name }) => (
                <Link key={id} to={to.asset({ companyId, assetId: id })}>
                  {name}
                </Link>
              ))}
            </span>
          ),
        },
        { name: 'Tags', fact: project.tags.map(({ name }) => name).join(', ') },
      ]}
    />
  )
}

export const StatusHistory = ({ of }: { of: ProjectAnswer['project']['statusHistory'] }) => (
  <section>
    <h2>Status history</h2>
    <ul className={styles.history}>
      {of.map(({ id, status, reason, createdAt, portalUser }) => (
        <li key={id}>
          {wordsOf(status)} <span className="muted">{portalUser?.name}</span> <Moment at={createdAt} />
          {reason && <p className="words muted">{reason}</p>}
        </li>
      ))}
    </ul>
  </section>
)
