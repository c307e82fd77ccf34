// The SQL of counts of issues by their facets, from the kept tally where that can answer, otherwise from the issues themselves.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { type Condition, slaState } from '../issues/service.ts'

export const matching = (companyId: Id, conditions: readonly Condition[]): RawBuilder<boolean> =>
  sql.join([sql`issue.company_id = ${companyId}`, ...conditions], sql` and `)

const facets = {
  severity: sql`severity`,
  status: sql`status`,
  type: sql`type`,
  isKnownExploited: sql`is_known_exploited as "isKnownExploited"`,
  slaState: sql`sla_state as "slaState"`,
} as const

export type Facet = keyof typeof facets

/** The number of issues with these values. */
export type Group = Partial<Record<Facet, string | boolean | null>> & { count: number }

type Count = (db: Db, companyId: Id, conditions: readonly Condition[], by: readonly Facet[]) => Promise<Group[]>

/** The number of issues with each combination of the facets' values, among those that meet the conditions; without a facet, their total. */
export const countBy: Count = async (db, companyId, conditions, by) => {
  const { rows } = await sql<Group>`
    select ${sql.join([...by.map((facet) => facets[facet]), sql`count(*)::int as count`])}
    from (select issue.*, ${slaState} as sla_state from issue where ${matching(companyId, conditions)}) as counted
    ${groupedBy(by)}`.execute(db)
  return rows
}

const groupedBy = (by: readonly Facet[]): RawBuilder<unknown> =>
  by.length > 0 ? sql`group by ${sql.join(by.map((_, place) => sql.lit(place + 1)))}` : sql``

const columns = sql`issue.severity, issue.status, issue.type, issue.is_known_exploited`

/**
 * As countBy, from the tally, for filters that it has. It says how the dates stood when each finding was last valued: those whose
 * date has passed a bound since, which the worker values within a minute, are counted as they stand now instead.
 */
export const countTallied: Count = async (db, companyId, conditions, by) => {
  const where = matching(companyId, conditions)
  const outdated = sql`from issue where ${where} and issue.revalue_at <= now()`
  const corrected = sql`
    union all select ${columns}, ${slaState}, 1 ${outdated}
    union all select ${columns}, valued_sla_state(issue.status, issue.sla_due_at, issue.revalue_at), -1 ${outdated}`
  const { rows } = await sql<Group>`
    select ${sql.join([...by.map((facet) => facets[facet]), sql`coalesce(sum(count), 0)::int as count`])}
    from (select ${columns}, sla_state, count from finding_tally as issue where ${where}
      ${by.includes('slaState') ? corrected : sql``}) as counted
    ${groupedBy(by)}`.execute(db)
  return rows
}
