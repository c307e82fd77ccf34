// The SQL of decisions that a report itself makes about findings.

import { sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import type { Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { IssueStatus } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import { isStated } from './store-stated.ts'

/** `statementId`: the VEX statement that says so; null: the end of one; undefined: the word of a tool's report. */
export type Change = {
  issueId: Id
  from: IssueStatus
  status: IssueStatus
  reason: string
  until?: string
  statementId?: Id | null
}

/** On whose word, and with which scan and deploy. */
export type Said = { authorId: Id; scanId: Id | null; deployId: Id | null }

/**
 * Changes issues, with history, that are unchanged since they were read and that no person has decided about; returns them. A tool's word
 * changes nothing while a VEX statement decides. One statement, or none without changes.
 */
export async function updateByWord(
  trx: Trx,
  companyId: Id,
  changes: readonly Change[],
  said: Said,
): Promise<ReadonlySet<Id>> {
  if (changes.length === 0) return new Set()
  const given = changes.map((change) => ({ ...change, isStatement: change.statementId !== undefined }))
  const { rows } = await sql<{ id: Id }>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given ("issueId" bigint, "from" issue_status, status issue_status, reason text, until timestamptz, "statementId" bigint,
          "isStatement" boolean)),
    held as materialized (
      select issue.id from issue join given on issue.id = given."issueId" and issue.status = given."from"
      where issue.company_id = ${anyCompany(companyId)} and issue.decided_at is null
        and (issue.status = any(${openStatuses}::issue_status[]) or issue.status = 'FIX_ACCEPTED' or (
          select kind from issue_event as event
          where event.company_id = issue.company_id and event.issue_id = issue.id and event.status is not null
          order by event.id desc limit 1) = 'SCAN')
        and (given."isStatement" or not ${isStated(sql`issue.company_id`, sql`issue.id`)})
      order by issue.id for update of issue),
    changed as (
      update issue set status = given.status, status_reason = given.reason, risk_accepted_until = until, updated_at = now(),
        closed_at = case when given.status = any(${openStatuses}::issue_status[]) then null else coalesce(closed_at, now()) end
      from given join held on held.id = given."issueId"
      where issue.company_id = ${anyCompany(companyId)} and issue.id = held.id
      returning issue.id),
    events as (
      insert into issue_event (company_id, issue_id, kind, action, author_id, previous_status, status, reason, scan_id, deploy_id,
        statement_id)
      select ${companyId}::bigint, given."issueId", 'SCAN', 'STATUS_CHANGED', ${said.authorId}::bigint, given."from",
        given.status, given.reason, ${said.scanId}::bigint, ${said.deployId}::bigint, given."statementId"
      from given join changed on changed.id = given."issueId")
    select id from changed`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}
