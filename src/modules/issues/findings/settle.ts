// Gives new findings that another installation kept what a scan has no words for: who decided what, until when, and other branches.

import { sql } from 'kysely'
import type { Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { Id } from '../../../core/ids.ts'
import type { IssueRecord } from '../store.ts'
import { isPersonsWord } from '../transitions.ts'
import type { Kept } from './finding.ts'

export type Settling = { issue: Pick<IssueRecord, 'id' | 'companyId' | 'assetId' | 'status'>; kept: Kept }

/**
 * Writes what was kept of findings that were created in the same transaction. A decision becomes that of `authorId`, who brings
 * it; where `mayDecide` is false it is the file's word, which a later report takes back. One statement.
 */
export async function settleKept(
  trx: Trx,
  companyId: Id,
  settling: readonly Settling[],
  { authorId, mayDecide }: { authorId: Id; mayDecide: boolean },
): Promise<void> {
  if (settling.length === 0) return
  const rows = settling.map(({ issue, kept: { places, id: _, branch, ...kept } }) => ({
    ...kept,
    issueId: issue.id,
    assetId: issue.assetId,
    branch,
    status: issue.status,
    isDecided: kept.isDecided && (mayDecide || !isPersonsWord(issue.status)),
    own: places[0] ?? null,
    others: places.slice(1),
  }))
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("issueId" bigint, "assetId" bigint, branch text,
        status issue_status, reason text, "isDecided" boolean, "riskAcceptedUntil" timestamptz, summary text,
        "impactDescription" text, "stepsToReproduce" text, "compromisedEnvironment" boolean, own jsonb, others jsonb)),
    settled as (
      update issue set status_reason = reason, risk_accepted_until = "riskAcceptedUntil", summary = given.summary,
        impact_description = "impactDescription", steps_to_reproduce = "stepsToReproduce",
        compromised_environment = "compromisedEnvironment", commit_ref = coalesce(commit_ref, own ->> 'commit'),
        decided_by = case when "isDecided" then ${authorId}::bigint end, decided_at = case when "isDecided" then now() end,
        closed_at = case when given.status <> 'DRAFT' and given.status <> all(${openStatuses}::issue_status[]) then now() end
      from given where company_id = ${companyId} and id = "issueId"),
    events as (
      insert into issue_event (company_id, issue_id, kind, action, author_id, status, reason)
      select ${companyId}::bigint, "issueId", case when "isDecided" then 'PERSON' else 'SCAN' end, 'STATUS_CHANGED',
        ${authorId}::bigint, status, reason
      from given where reason is not null or "isDecided"),
    placed as (
      update occurrence set first_line = (own ->> 'firstLine')::int, commit_ref = coalesce(commit_ref, own ->> 'commit'),
        disposition = (own ->> 'disposition')::disposition, is_open = (own ->> 'isOpen')::boolean
      from given
      where company_id = ${companyId} and issue_id = "issueId" and occurrence.branch = given.branch and own is not null),
    added as (
      insert into occurrence (company_id, issue_id, asset_id, branch, path, line, first_line, column_number, snippet,
        snippet_hash, commit_ref, disposition, is_open)
      select ${companyId}::bigint, "issueId", "assetId", place.branch, path, line, "firstLine", "column", snippet, "snippetHash",
        commit, disposition, "isOpen"
      from given cross join lateral jsonb_to_recordset(others) as place (branch text, path text, line int, "firstLine" int,
        "column" int, snippet text, "snippetHash" bigint, commit text, disposition disposition, "isOpen" boolean)
      where place.branch <> given.branch
      on conflict (company_id, issue_id, branch) do nothing
      returning id, issue_id, branch, path, line, commit_ref, disposition)
    insert into occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, disposition)
    select ${companyId}::bigint, id, issue_id, branch, path, line, commit_ref, disposition from added`.execute(trx)
}
