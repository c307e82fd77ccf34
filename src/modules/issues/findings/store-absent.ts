// The SQL that closes findings of a branch that a complete report no longer contains.

import { sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import type { Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { Id } from '../../../core/ids.ts'
import { keptPlace } from './store-own-place.ts'

/** Days after which another branch no longer keeps an issue open if the finding was not reported on it again. */
const STALE = 30

export type Absence = {
  branch: string
  issueIds: readonly Id[]
  reason: string
  authorId: Id
  scanId: Id | null
  deployId: Id | null
}

const isElsewhere = (branch: string) => sql`other.branch <> ${branch} and other.is_open
  and other.last_seen_at > now() - make_interval(days => ${STALE})`

/**
 * `issueId`: the finding's issue. `isWitnessed`: another tool still reports the issue on the branch, so it stays open. `isShared`: the issue
 * has further findings.
 */
export type Gone = { issueId: Id; isFixed: boolean; isWitnessed: boolean; isShared: boolean }

/**
 * Closes the findings on the branch. Sets an issue to FIX_ACCEPTED, with history, if no witness of it is left there and it was not seen on
 * another branch within the last 30 days. Issues are locked before their witnesses. Drafts and issues with a person's decision are left
 * unchanged, and are not returned. One statement.
 */
export async function closeFindings(
  trx: Trx,
  companyId: Id,
  { branch, issueIds, reason, authorId, scanId, deployId }: Absence,
): Promise<Gone[]> {
  const { rows } = await sql<Gone>`
    with locked as materialized (
      select id, status, merged_into_id, witnesses from finding
      where company_id = ${companyId} and status = any(${openStatuses}::issue_status[]) and id = any(${issueIds}::bigint[] || array(
        select merged_into_id from finding
        where company_id = ${companyId} and id = any(${issueIds}::bigint[]) and merged_into_id is not null))
      order by merged_into_id is not null, id for update),
    held as materialized (
      select id, status, coalesce(merged_into_id, id) as stands_for, merged_into_id is not null or witnesses > 0 as is_shared
      from locked where id = any(${issueIds}::bigint[])),
    witnessed as (
      -- a case, so that nothing is looked up of the many that have no witness
      select held.id from held where case when is_shared then exists (
        select from finding as other
        join occurrence as place on place.company_id = ${companyId} and place.issue_id = other.id and place.branch = ${branch}
          and place.is_open and not place.is_absent
        where other.company_id = ${companyId} and (other.id = held.stands_for or other.merged_into_id = held.stands_for)
          and other.id not in (select id from held)) else false end),
    gone as (
      update occurrence set report_key = null,
        is_open = held.id = held.stands_for and held.id in (select id from witnessed),
        is_absent = held.id = held.stands_for and held.id in (select id from witnessed),
        own_place = case when held.id = held.stands_for and held.id in (select id from witnessed) then ${keptPlace} end
      from held
      -- each by its key, whatever the planner knows of tables that were empty a moment ago
      cross join lateral (
        select id from occurrence where company_id = ${companyId} and issue_id = held.id and branch = ${branch} offset 0) as here
      where occurrence.company_id = ${companyId} and occurrence.id = here.id and is_open and not is_absent
      returning issue_id, held.stands_for, held.status, held.is_shared),
    due as (
      select distinct stands_for, status, is_shared from gone where issue_id not in (select id from witnessed)),
    fixed as (
      update finding as issue set status = 'FIX_ACCEPTED', status_reason = ${reason}, decided_by = null, decided_at = null,
        risk_accepted_until = null, closed_at = now(), updated_at = now()
      from due
      where issue.company_id = ${anyCompany(companyId)} and issue.id = due.stands_for and not exists (
        select from occurrence as other
        where other.company_id = ${companyId} and other.issue_id = due.stands_for and ${isElsewhere(branch)} offset 0)
        and case when is_shared then not exists (
          select from finding as witness
          join occurrence as other on other.company_id = ${companyId} and other.issue_id = witness.id and ${isElsewhere(branch)}
          where witness.company_id = ${companyId} and witness.merged_into_id = due.stands_for) else true end
      returning issue.id),
    events as (
      insert into issue_event (company_id, issue_id, kind, action, author_id, previous_status, status, reason, scan_id, deploy_id)
      select ${companyId}::bigint, due.stands_for, 'SCAN', 'STATUS_CHANGED', ${authorId}::bigint, due.status, 'FIX_ACCEPTED',
        ${reason}, ${scanId}::bigint, ${deployId}::bigint
      from due where (due.stands_for in (select id from fixed)) is true)
    select stands_for as "issueId", stands_for in (select id from fixed) as "isFixed", issue_id in (select id from witnessed) as "isWitnessed",
      is_shared as "isShared"
    from gone order by issue_id`.execute(trx)
  return rows
}
