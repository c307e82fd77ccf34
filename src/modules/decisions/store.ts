// The SQL of decisions: the issues that a filter matches, and the progress and outcome of each decision.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import { type Condition, conditionsOf, type IssueFilters } from '../issues/service.ts'

type State = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'REFUSED' | 'FAILED'
export type Refusal = { from: IssueStatus; count: number }

export type Decision = {
  companyId: Id
  id: Id
  state: State
  status: IssueStatus
  reason: string | null
  riskAcceptedUntil: string | null
  total: number
  done: number
  unchanged: number
  refusals: readonly Refusal[]
  failure: string | null
  createdById: Id | null
  createdAt: string
  endedAt: string | null
}

export type DecisionKey = Pick<Decision, 'companyId' | 'id'>

/** Who made the decision, as the audit record names them. */
type SaidBy = Pick<Viewer, 'userId' | 'email' | 'name' | 'keyId' | 'keyPublicId'> & {
  request: { id: string; address: string; operation: string }
}

type NewDecision = Pick<Decision, 'companyId' | 'status' | 'reason' | 'riskAcceptedUntil'> & {
  isPartial: boolean
  issueIds: readonly Id[]
  saidBy: SaidBy
}

export type Claimed = Decision & { isPartial: boolean; issueIds: Id[]; saidBy: SaidBy; attempts: number }

const columns = sql`company_id as "companyId", id, state, status, reason, risk_accepted_until as "riskAcceptedUntil", total, done,
  unchanged, refusals, failure, created_by as "createdById", created_at as "createdAt", ended_at as "endedAt"`

/** The company's findings that pass the filters, at most `most`. */
export async function findMatching(db: Db, companyId: Id, filters: IssueFilters, most: number): Promise<Id[]> {
  const conditions: Condition[] = [
    sql<boolean>`issue.company_id = ${companyId}::bigint`,
    ...conditionsOf(companyId, filters),
  ]
  const { rows } = await sql<{ id: Id }>`
    select issue.id from issue where ${sql.join(conditions, sql` and `)} limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The number of findings with each status; deleted findings are not counted. */
export async function countStatuses(db: Db, companyId: Id, ids: readonly Id[]): Promise<Refusal[]> {
  const { rows } = await sql<Refusal>`
    select status as "from", count(*)::int as count from issue
    where company_id = ${companyId} and id = any(${ids}::bigint[])
    group by status order by 2 desc, 1`.execute(db)
  return rows
}

export async function insertDecision(trx: Trx, made: NewDecision): Promise<Decision> {
  const { companyId, status, reason, riskAcceptedUntil, isPartial, issueIds, saidBy } = made
  const { rows } = await sql<Decision>`
    insert into issue_decision
      (company_id, status, reason, risk_accepted_until, is_partial, issue_ids, total, actor, created_by)
    values (${companyId}, ${status}::issue_status, ${reason}, ${riskAcceptedUntil}::timestamptz, ${isPartial},
      ${issueIds}::bigint[], ${issueIds.length}, ${JSON.stringify(saidBy)}::jsonb, ${saidBy.userId}::bigint)
    returning ${columns}`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('A decision was not written')
  return row
}

/** The decision with this id, if the viewer sees its company. */
export async function findDecision(db: Db, viewer: Viewer, id: Id): Promise<Decision | null> {
  const { rows } = await sql<Decision>`
    select ${columns} from issue_decision where ${seenBy(viewer, 'issue_decision.company_id')} and id = ${id}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Claims a decision to apply it from the start; null if it has ended. */
export async function claimDecision(db: Db, { companyId, id }: DecisionKey): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    update issue_decision set state = 'RUNNING', attempts = attempts + 1, done = 0, unchanged = 0, refusals = '[]'
    where company_id = ${companyId} and id = ${id} and state in ('PENDING', 'RUNNING')
    returning ${columns}, is_partial as "isPartial", issue_ids as "issueIds", actor as "saidBy", attempts`.execute(db)
  return rows[0] ?? null
}

/** Records the progress, outside the transaction that applies the decision. */
export async function noteProgress(db: Db, { companyId, id }: DecisionKey, done: number): Promise<void> {
  await sql`
    update issue_decision set done = ${done} where company_id = ${companyId} and id = ${id} and state = 'RUNNING'`.execute(
    db,
  )
}

type Ending = Pick<Decision, 'done' | 'unchanged' | 'refusals' | 'failure'> & {
  state: 'SUCCEEDED' | 'REFUSED' | 'FAILED'
}

/** Ends the decision; false if it had ended already. In the transaction that applies the decision, this makes sure that it applies once. */
export async function endDecision(
  db: Db | Trx,
  { companyId, id }: DecisionKey,
  { state, done, unchanged, refusals, failure }: Ending,
): Promise<boolean> {
  const { rows } = await sql`
    update issue_decision set state = ${state}, done = ${done}, unchanged = ${unchanged},
      refusals = ${JSON.stringify(refusals)}::jsonb, failure = ${failure}, issue_ids = '{}', ended_at = now()
    where company_id = ${companyId} and id = ${id} and state = 'RUNNING' returning 1`.execute(db)
  return rows.length > 0
}
