// The SQL that changes issues (their status, people and events) and deletes them.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { type IssueRecord, issueColumns } from './store.ts'

/** A status to write; `decidedById` is null if no person set it. Without an end, the present one is kept as long as the status is. */
type StatusWrite = {
  status: IssueStatus
  reason: string | null
  decidedById: Id | null
  riskAcceptedUntil?: string | null
}

export async function updateStatuses(
  trx: Trx,
  companyId: Id,
  ids: readonly Id[],
  { status, reason, decidedById, riskAcceptedUntil }: StatusWrite,
): Promise<IssueRecord[]> {
  const end =
    riskAcceptedUntil === undefined
      ? sql`case when status = ${status}::issue_status then risk_accepted_until end`
      : sql`${riskAcceptedUntil}::timestamptz`
  const { rows } = await sql<IssueRecord>`
    update issue set status = ${status}::issue_status, status_reason = ${reason}, decided_by = ${decidedById}::bigint,
      decided_at = case when ${decidedById}::bigint is null then null else now() end,
      risk_accepted_until = ${end}, updated_at = now(),
      closed_at = case when ${status}::issue_status = any(${openStatuses}::issue_status[]) then null
                       else coalesce(closed_at, now()) end
    where company_id = ${companyId} and id = any(${ids}::bigint[])
    returning ${issueColumns}`.execute(trx)
  return rows
}

/** One entry of an issue's history. */
type EventWrite = {
  issueId: Id
  /** the kind of author */
  kind: 'PERSON' | 'SCAN' | 'SYSTEM'
  action: string
  authorId?: Id | null
  externalAuthor?: string | null
  assigneeId?: Id | null
  previousStatus?: IssueStatus | null
  status?: IssueStatus | null
  reason?: string | null
  controlSyncStatusId?: Id | null
  deployId?: Id | null
}

export async function insertEvents(trx: Trx, companyId: Id, events: readonly EventWrite[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into issue_event (company_id, issue_id, kind, action, author_id, external_author, assignee_id,
      previous_status, status, reason, scan_id, deploy_id)
    select ${companyId}::bigint, "issueId", kind, action, "authorId", "externalAuthor", "assigneeId",
      "previousStatus", status, reason, "controlSyncStatusId", "deployId"
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (
      "issueId" bigint, kind text, action text, "authorId" bigint, "externalAuthor" text, "assigneeId" bigint,
      "previousStatus" issue_status, status issue_status, reason text, "controlSyncStatusId" bigint,
      "deployId" bigint)`.execute(trx)
}

export async function insertAnalysis(
  trx: Trx,
  companyId: Id,
  issueId: Id,
  authorId: Id,
): Promise<{ id: Id; issueId: Id; analyzedById: Id; at: string }> {
  const { rows } = await sql<{ id: Id; at: string }>`
    insert into issue_event (company_id, issue_id, kind, action, author_id)
    values (${companyId}, ${issueId}, 'PERSON', 'ANALYZED', ${authorId}) returning id, at`.execute(trx)
  const [event] = rows
  if (!event) throw new Error('An insert answers with its row')
  return { ...event, issueId, analyzedById: authorId }
}

export async function hasScan(db: Db, companyId: Id, assetId: Id, id: Id): Promise<boolean> {
  const { rows } = await sql`
    select from scan where company_id = ${companyId} and id = ${id} and asset_id = ${assetId}`.execute(db)
  return rows.length > 0
}

export async function hasDeploy(db: Db, companyId: Id, assetId: Id, id: Id): Promise<boolean> {
  const { rows } = await sql`
    select from deploy where company_id = ${companyId} and id = ${id} and asset_id = ${assetId}`.execute(db)
  return rows.length > 0
}

export async function deleteIssues(trx: Trx, companyId: Id, ids: readonly Id[]): Promise<void> {
  await sql`delete from issue where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(trx)
}

/** Replaces the assignees by these users; returns who was added and who was removed. */
export async function replaceAssignees(
  trx: Trx,
  companyId: Id,
  issueId: Id,
  userIds: readonly Id[],
): Promise<{ added: Id[]; removed: Id[] }> {
  const removed = await sql<{ id: Id }>`
    delete from issue_assignee where company_id = ${companyId} and issue_id = ${issueId}
    and user_id <> all(${userIds}::bigint[]) returning user_id as id`.execute(trx)
  const added = await sql<{ id: Id }>`
    insert into issue_assignee (company_id, issue_id, user_id)
    select ${companyId}::bigint, ${issueId}::bigint, unnest(${userIds}::bigint[])
    on conflict do nothing returning user_id as id`.execute(trx)
  const idOf = ({ id }: { id: Id }) => id
  return { added: added.rows.map(idOf), removed: removed.rows.map(idOf) }
}

/** Locks expired risk acceptances of any company, skipping those that another worker has locked. */
export async function lockExpiredAcceptances(trx: Trx, most: number): Promise<IssueRecord[]> {
  const { rows } = await sql<IssueRecord>`
    select ${issueColumns} from issue
    where issue.status = 'RISK_ACCEPTED' and issue.risk_accepted_until <= now()
    order by issue.company_id, issue.id limit ${most} for update skip locked`.execute(trx)
  return rows
}
