// The SQL that closes findings of a branch which a whole report no longer has.

import { sql } from 'kysely'
import type { Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { Id } from '../../../core/ids.ts'

/** Days after which a branch on which nobody has seen a finding any more no longer keeps its issue open. */
const STALE = 30

export type Absence = {
  branch: string
  issueIds: readonly Id[]
  reason: string
  authorId: Id
  scanId: Id | null
  deployId: Id | null
}

/**
 * Closes the findings on the branch, and as FIX_ACCEPTED, with their history, the issues that were seen on no other branch within
 * the last 30 days. What a person decided, and what is a draft, is left as it is, and left out of the answer. One statement.
 */
export async function closeAbsent(
  trx: Trx,
  companyId: Id,
  { branch, issueIds, reason, authorId, scanId, deployId }: Absence,
): Promise<{ issueId: Id; isFixed: boolean }[]> {
  const { rows } = await sql<{ issueId: Id; isFixed: boolean }>`
    with held as materialized (
      select id, status from issue
      where company_id = ${companyId} and id = any(${issueIds}::bigint[]) and status = any(${openStatuses}::issue_status[])
      order by id for update),
    gone as (
      update occurrence set is_open = false
      from held
      where occurrence.company_id = ${companyId} and occurrence.issue_id = held.id and branch = ${branch} and is_open
      returning issue_id, held.status),
    fixed as (
      update issue set status = 'FIX_ACCEPTED', status_reason = ${reason}, decided_by = null, decided_at = null,
        risk_accepted_until = null, closed_at = now(), updated_at = now()
      from gone
      where issue.company_id = ${companyId} and issue.id = gone.issue_id and not exists (
        select from occurrence as other
        where other.company_id = ${companyId} and other.issue_id = gone.issue_id and other.branch <> ${branch} and other.is_open
          and other.last_seen_at > now() - make_interval(days => ${STALE}))
      returning issue.id),
    events as (
      insert into issue_event (company_id, issue_id, kind, action, author_id, previous_status, status, reason, scan_id, deploy_id)
      select ${companyId}::bigint, issue_id, 'SCAN', 'STATUS_CHANGED', ${authorId}::bigint, gone.status, 'FIX_ACCEPTED',
        ${reason}, ${scanId}::bigint, ${deployId}::bigint
      from gone join fixed on fixed.id = issue_id)
    select issue_id as "issueId", fixed.id is not null as "isFixed"
    from gone left join fixed on fixed.id = issue_id order by issue_id`.execute(trx)
  return rows
}
