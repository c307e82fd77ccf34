// What a report itself decides of findings: a suppression, a VEX statement, and its end when the next report has it no more.

import { sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import type { Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { IssueStatus } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import { isPersonsWord, permittedFrom } from '../transitions.ts'

/** What a report says of an issue; null: nothing, so that what it said before no longer counts. */
export type Word = {
  issue: Pick<IssueRecord, 'id' | 'status' | 'decidedAt'>
  decision: { status: IssueStatus; reason: string; until?: string } | null
}

type Change = { issueId: Id; from: IssueStatus; status: IssueStatus; reason: string; until?: string }

/**
 * Writes the words of a report, with their history, where no person has decided: an issue that somebody set a status of keeps it.
 * Answers with the issues that changed. One statement, or none.
 */
export async function takeWords(
  trx: Trx,
  companyId: Id,
  words: readonly Word[],
  said: { authorId: Id; scanId: Id | null; deployId: Id | null },
): Promise<ReadonlySet<Id>> {
  const changes = words.flatMap((word) => changeOf(word) ?? [])
  if (changes.length === 0) return new Set()
  const { rows } = await sql<{ id: Id }>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as given ("issueId" bigint, "from" issue_status, status issue_status, reason text, until timestamptz)),
    held as materialized (
      select issue.id from issue join given on issue.id = given."issueId" and issue.status = given."from"
      where issue.company_id = ${companyId} and issue.decided_at is null
        and (issue.status = any(${openStatuses}::issue_status[]) or issue.status = 'FIX_ACCEPTED' or (
          select kind from issue_event as event
          where event.company_id = issue.company_id and event.issue_id = issue.id and event.status is not null
          order by event.id desc limit 1) = 'SCAN')
      order by issue.id for update of issue),
    changed as (
      update issue set status = given.status, status_reason = given.reason, risk_accepted_until = until, updated_at = now(),
        closed_at = case when given.status = any(${openStatuses}::issue_status[]) then null else coalesce(closed_at, now()) end
      from given join held on held.id = given."issueId"
      where issue.company_id = ${anyCompany(companyId)} and issue.id = held.id
      returning issue.id),
    events as (
      insert into issue_event (company_id, issue_id, kind, action, author_id, previous_status, status, reason, scan_id, deploy_id)
      select ${companyId}::bigint, given."issueId", 'SCAN', 'STATUS_CHANGED', ${said.authorId}::bigint, given."from",
        given.status, given.reason, ${said.scanId}::bigint, ${said.deployId}::bigint
      from given join changed on changed.id = given."issueId")
    select id from changed`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}

/** A person's decision has its moment; a status of the same name without one is a report's, if its last event says so too. */
function changeOf({ issue, decision }: Word): Change | null {
  if (issue.decidedAt !== null) return null
  const { id: issueId, status: from } = issue
  const wasSaid = isPersonsWord(from)
  if (decision === null) {
    return wasSaid ? { issueId, from, status: 'IDENTIFIED', reason: `The report no longer says ${from}` } : null
  }
  const { status, reason, until } = decision
  const isPermitted = wasSaid || permittedFrom(from).includes(status)
  return status !== from && isPermitted ? { issueId, from, status, reason, until } : null
}
