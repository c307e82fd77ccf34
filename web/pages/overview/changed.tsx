// What changed since the last visit, apart from new findings; each figure links to exactly the findings that it counts.

import { Link } from 'react-router'
import { useAsk } from '../../api/ask.ts'
import { graphql } from '../../api/graphql.ts'
import { Failed } from '../../ui/answered.tsx'
import { to } from '../../util/path-builder.ts'
import { readAll } from '../../util/url-state.ts'
import { agoInFull, count } from '../../util/words.ts'
import { askedBy, filterShape } from '../findings/filters.ts'
import type { TroubleKind } from './happened.ts'
import styles from './overview.module.css'

const ChangedSince = graphql(`
  query ChangedSince(
    $companyId: ID!
    $fixed: IssuesFiltersInput
    $reopened: IssuesFiltersInput
    $late: IssuesFiltersInput
    $since: ISO8601DateTime!
  ) {
    fixed: issuesStats(companyId: $companyId, filters: $fixed) { total }
    reopened: issuesStats(companyId: $companyId, filters: $reopened) { total }
    late: issuesStats(companyId: $companyId, filters: $late) { total }
    events(companyId: $companyId, kinds: ["deploy.gate_blocked", "integration.broken"], since: $since, limit: 1000) {
      id
      kind
    }
  }
`)

/** The filters that the list of findings applies at this address. */
const filtersOf = (companyId: string, search: URLSearchParams) =>
  askedBy(companyId, readAll(filterShape, search)).filters

export function Changed({ companyId, since }: { companyId: string; since: string }) {
  const searches = {
    fixed: new URLSearchParams({ status: 'FIX_ACCEPTED', change: 'fixed', changedSince: since }),
    reopened: new URLSearchParams({ change: 'reopened', changedSince: since }),
    late: new URLSearchParams({ due: 'BREACHED', change: 'late', changedSince: since }),
  }
  const { data, failure, again } = useAsk(
    ChangedSince,
    {
      companyId,
      since,
      fixed: filtersOf(companyId, searches.fixed),
      reopened: filtersOf(companyId, searches.reopened),
      late: filtersOf(companyId, searches.late),
    },
    { affectedBy: ['Issue', 'Deploy'] },
  )
  const happened = (kind: TroubleKind) => data?.events.filter((event) => event.kind === kind).length
  const changed = (kind: TroubleKind) => to.changes({ companyId }, new URLSearchParams({ kind, since }))
  const figures = [
    { name: 'fixed', value: data?.fixed.total, path: to.findings({ companyId }, searches.fixed) },
    { name: 'reopened', value: data?.reopened.total, path: to.findings({ companyId }, searches.reopened) },
    { name: 'newly overdue', value: data?.late.total, path: to.findings({ companyId }, searches.late) },
    {
      name: 'deploys blocked',
      one: 'deploy blocked',
      value: happened('deploy.gate_blocked'),
      path: changed('deploy.gate_blocked'),
    },
    {
      name: 'credentials rejected',
      one: 'credential rejected',
      value: happened('integration.broken'),
      path: changed('integration.broken'),
    },
  ]
  return (
    <section aria-label="What changed" className={styles.changed}>
      <h2>Since {agoInFull(Date.parse(since), Date.now())}</h2>
      {failure && <Failed failure={failure} again={again} />}
      <ul>
        {figures.map(({ name, one = name, value, path }) => (
          <li key={name}>
            <Link to={path} data-none={value === 0 || undefined}>
              <strong>{value === undefined ? '–' : count(value)}</strong> {value === 1 ? one : name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
