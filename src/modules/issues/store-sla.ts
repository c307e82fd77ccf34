// The SQL of the SLA states of issues, over `issue`.

import { type RawBuilder, sql } from 'kysely'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'
import type { SlaState } from '../../core/issue-words.ts'

/** The same as slaOf in scoring: a finding is nearing its due date in the last fifth of its time. */
const lastFifth = sql`issue.sla_due_at - (issue.sla_due_at - issue.sla_started_at) / 5`

const slaConditions = {
  ON_TRACK: sql<boolean>`(${isOpenIssue} and now() < ${lastFifth})`,
  APPROACHING: sql<boolean>`(${isOpenIssue} and issue.sla_due_at > now() and now() >= ${lastFifth})`,
  BREACHED: sql<boolean>`(${isOpenIssue} and issue.sla_due_at <= now())`,
  RESOLVED: sql<boolean>`(not ${isOpenIssue} and issue.sla_due_at is not null)`,
} satisfies Record<SlaState, RawBuilder<boolean>>

export const isInState = (states: readonly SlaState[]): RawBuilder<boolean> =>
  sql`(${sql.join([sql`false`, ...states.map((state) => slaConditions[state])], sql` or `)})`

/** Null for an issue that is never due. */
export const slaState: RawBuilder<SlaState | null> = sql`case ${sql.join(
  Object.entries(slaConditions).map(([state, condition]) => sql`when ${condition} then ${sql.lit(state)}`),
  sql` `,
)} end`

export type NearState = 'APPROACHING' | 'BREACHED'

/** Whether there are states, and all of them are such that only few issues can be in them, however many the company has. */
export const areNear = (states: readonly SlaState[]): states is readonly NearState[] =>
  states.length > 0 && states.every((state) => state === 'APPROACHING' || state === 'BREACHED')

/** Issues that were valued since they entered the state, from an index of these; see value_issue for when that is. */
const valued = {
  APPROACHING: sql<boolean>`issue.revalue_at = issue.sla_due_at`,
  BREACHED: sql<boolean>`issue.revalue_at is null`,
} satisfies Record<NearState, RawBuilder<boolean>>

/** Selects the `id`s of the company's issues in one of the states, from indexes that contain few others. */
export function selectNear(companyId: Id, states: readonly NearState[]): RawBuilder<unknown> {
  const near = (state: NearState, fact: RawBuilder<boolean>) =>
    sql`select id from issue where issue.company_id = ${companyId} and ${slaConditions[state]} and ${fact}`
  const parts = [...new Set(states)].flatMap((state) => [
    near(state, valued[state]),
    near(state, sql`issue.revalue_at <= now() and (${valued[state]}) is not true`),
  ])
  return sql.join(parts, sql` union all `)
}
