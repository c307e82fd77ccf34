// The SQL that restores exported data of new findings: decisions, their ends, and other branches.

import { sql } from 'kysely'
import type { Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { IssueStatus } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import type { Kept, KeptTimes } from './finding.ts'

/** The data of one finding; `own`: its place on the branch on which it was created, `others`: its places on other branches. */
type Settled = Omit<Kept, 'places' | 'id' | 'times'> &
  KeptTimes & {
    issueId: Id
    assetId: Id
    status: IssueStatus
    own: Kept['places'][number] | null
    others: Kept['places']
  }

/** For findings created in the same transaction. */
export async function updateSettled(trx: Trx, companyId: Id, rows: readonly Settled[], authorId: Id): Promise<void> {
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("issueId" bigint, "assetId" bigint, branch text,
        status issue_status, reason text, "isDecided" boolean, "riskAcceptedUntil" timestamptz, "createdAt" timestamptz,
        "decidedAt" timestamptz, "closedAt" timestamptz, "slaStartedAt" timestamptz, summary text,
        "impactDescription" text, "stepsToReproduce" text, "compromisedEnvironment" boolean, own jsonb, others jsonb)),
    settled as (
      update issue set status_reason = reason, risk_accepted_until = "riskAcceptedUntil", summary = given.summary,
        impact_description = "impactDescription", steps_to_reproduce = "stepsToReproduce",
        compromised_environment = "compromisedEnvironment", commit_ref = coalesce(commit_ref, own ->> 'commit'),
        decided_by = case when "isDecided" then ${authorId}::bigint end,
        decided_at = case when "isDecided" then coalesce("decidedAt", now()) end,
        closed_at = case when given.status <> 'DRAFT' and given.status <> all(${openStatuses}::issue_status[])
          then coalesce("closedAt", now()) end,
        created_at = coalesce("createdAt", created_at),
        sla_started_at = coalesce("slaStartedAt", sla_started_at), sla_due_at = null, revalue_at = '-infinity'
      from given where company_id = ${companyId} and id = "issueId"),
    begun as (
      update issue_event set at = "createdAt" from given
      where company_id = ${companyId} and issue_id = "issueId" and "createdAt" is not null),
    events as (
      insert into issue_event (company_id, issue_id, at, kind, action, author_id, status, reason)
      select ${companyId}::bigint, "issueId", coalesce("decidedAt", "closedAt", now()),
        case when "isDecided" then 'PERSON' else 'SCAN' end, 'STATUS_CHANGED', ${authorId}::bigint, status, reason
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
