// The SQL of witnesses: findings merged into another issue, which is open while one of them is, and as severe as the worst.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../../core/db/any-company.ts'
import { anyOf } from '../../../core/db/any-of.ts'
import type { Db, Trx } from '../../../core/db/open.ts'
import { openStatuses } from '../../../core/db/open-issues.ts'
import type { IssueStatus } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import { type IssueRecord, issueColumns } from '../store.ts'
import { closedAtOwnPlace, keptPlace } from './store-own-place.ts'
import { ownWeaknesses, settleWords } from './store-witness-words.ts'
import type { Joining } from './twins.ts'

/** Who merges issues, and what the history says about an issue that is reopened by it. */
export type Telling = { kind: 'SCAN' | 'PERSON'; reason: string; authorId: Id; scanId: Id | null; deployId: Id | null }

type Merge = Pick<Joining, 'issueId' | 'findingId'> & { by: Joining['by'] | 'PERSON' }

/**
 * Makes issues, together with their own witnesses, witnesses of others. Locks issues before witnesses. An issue that remains must not itself
 * be merged in the same call. An issue closed as fixed that gains an open witness stays closed until settleWitnesses opens it.
 */
export async function mergeFindings(trx: Trx, companyId: Id, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return
  await sql`
    with joined as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(merges)}::jsonb) as joined ("issueId" bigint, "findingId" bigint, by text)),
    held as materialized (
      select id, merged_into_id from finding
      where company_id = ${anyCompany(companyId)} and id = any(array(
        select "issueId" from joined union select "findingId" from joined union
        select witness.id from joined cross join lateral (
          select id from finding where company_id = ${anyCompany(companyId)} and merged_into_id = "findingId" offset 0) as witness))
      order by merged_into_id is not null, id for update),
    moving as materialized (
      select held.id, "issueId", by from joined join held on held.id = "findingId"
      union all select held.id, "issueId", by from joined join held on held.merged_into_id = "findingId"),
    moved as (
      update finding set merged_into_id = issue.id, merged_at = coalesce(finding.merged_at, now()),
        merged_by = coalesce(finding.merged_by, moving.by), merged_status = coalesce(finding.merged_status, finding.status),
        status = case when issue.status = 'FIX_ACCEPTED' and finding.status = any(${openStatuses}::issue_status[]) then 'IDENTIFIED'
                      else issue.status end,
        severity = coalesce(finding.own_severity, finding.severity), own_severity = null,
        cwe_ids = ${ownWeaknesses(sql`finding`)}, own_cwe_ids = null,
        vulnerability_ids = coalesce(finding.own_vulnerability_ids, finding.vulnerability_ids), own_vulnerability_ids = null,
        witnesses = 0, updated_at = now()
      from moving
      join finding as issue on issue.company_id = ${anyCompany(companyId)} and issue.id = moving."issueId"
      where finding.company_id = ${anyCompany(companyId)} and finding.id = moving.id
      returning finding.merged_into_id)
    update finding set witnesses = witnesses + counted.count, updated_at = now()
    from (select merged_into_id, count(*)::int as count from moved group by 1) as counted
    where company_id = ${anyCompany(companyId)} and id = counted.merged_into_id`.execute(trx)
}

/**
 * Makes witnesses issues of their own again, with their former status; but one that was open and is on no branch any more is closed, and one
 * that was closed and is on a branch is opened. Returns the former status of each.
 */
export async function releaseWitnesses(
  trx: Trx,
  companyId: Id,
  ids: readonly Id[],
): Promise<{ id: Id; status: IssueStatus }[]> {
  const { rows } = await sql<{ id: Id; status: IssueStatus }>`
    with held as materialized (
      select finding.id, merged_into_id, merged_status, exists (
        select from occurrence where company_id = ${companyId} and issue_id = finding.id and is_open) as stands
      from finding where company_id = ${companyId} and id = ${anyOf(ids)} and merged_into_id is not null
      order by id for update),
    released as (
      update finding set merged_into_id = null, merged_at = null, merged_by = null, merged_status = null, updated_at = now(),
        status = case
          when finding.merged_status = 'FIX_ACCEPTED' and stands then 'IDENTIFIED'
          when finding.merged_status = any(${openStatuses}::issue_status[]) and not stands then 'FIX_ACCEPTED'
          else finding.merged_status end,
        closed_at = case
          when (finding.merged_status = any(${openStatuses}::issue_status[]) and stands)
            or (finding.merged_status = 'FIX_ACCEPTED' and stands) then null
          else coalesce(finding.closed_at, now()) end,
        revalue_at = now()
      from held where finding.company_id = ${companyId} and finding.id = held.id),
    left_behind as (
      update finding set witnesses = witnesses - counted.count, updated_at = now()
      from (select merged_into_id, count(*)::int as count from held group by 1) as counted
      where company_id = ${companyId} and finding.id = counted.merged_into_id)
    select id, merged_status as status from held`.execute(trx)
  return rows
}

/**
 * Updates issues from their witnesses, after these or their occurrences changed: an issue is on every branch on which a witness is, is as
 * severe as the worst that a tool says unless a person set its severity, has the weaknesses of all of them, and is reopened when a witness is open.
 * Four statements, whatever the number.
 */
export async function settleWitnesses(
  trx: Trx,
  companyId: Id,
  issueIds: readonly Id[],
  telling: Telling,
): Promise<void> {
  await settleStanding(trx, companyId, issueIds, telling)
  await mirrorPlaces(trx, companyId, issueIds)
  await copyDeployFindings(trx, companyId, issueIds)
  await settleWords(trx, companyId, issueIds)
}

/**
 * If its own tool no longer reports an issue on a branch, or never did, its place is that of the witness seen last; without such a witness
 * it is again the place that its own tool reported. The witnesses of each issue and their places are looked up, because the planner, which
 * takes those of a company for few, would read them all.
 */
export async function mirrorPlaces(trx: Trx, companyId: Id, issueIds: readonly Id[]): Promise<void> {
  await sql`
    with asked as materialized (select distinct unnest(${issueIds}::bigint[]) as id),
    seen as materialized (
      select distinct on (witness.merged_into_id, place.branch) witness.merged_into_id as stands_for, place.*
      from asked cross join lateral (
        select id, merged_into_id from finding
        where company_id = ${anyCompany(companyId)} and merged_into_id = asked.id offset 0) as witness
      cross join lateral (
        select * from occurrence
        where company_id = ${anyCompany(companyId)} and issue_id = witness.id and is_open and not is_absent offset 0) as place
      order by witness.merged_into_id, place.branch, (place.disposition is not distinct from 'REMOVED'), place.last_seen_at desc, place.id),
    before as materialized (
      select place.* from asked cross join lateral (
        select id, issue_id, branch, path, line, is_open, is_absent from occurrence
        where company_id = ${anyCompany(companyId)} and issue_id = asked.id offset 0) as place),
    released as (
      update occurrence set ${closedAtOwnPlace} from before
      where occurrence.company_id = ${anyCompany(companyId)} and occurrence.id = before.id and before.is_absent and not exists (
        select from seen where seen.stands_for = before.issue_id and seen.branch = before.branch)
      returning occurrence.id, occurrence.issue_id, occurrence.branch, occurrence.path, occurrence.line, occurrence.commit_ref,
        occurrence.last_deploy_id),
    back as (
      update occurrence set disposition = seen.disposition from before, seen
      where occurrence.company_id = ${anyCompany(companyId)} and occurrence.id = before.id and before.is_open and not before.is_absent
        and occurrence.disposition = 'REMOVED' and seen.stands_for = before.issue_id and seen.branch = before.branch
        and seen.disposition is distinct from 'REMOVED'),
    mirrored as (
      insert into occurrence (company_id, issue_id, asset_id, branch, path, line, first_line, column_number, snippet, commit_ref,
        first_seen_at, last_seen_at, first_deploy_id, last_deploy_id, seen_commit, seen_deploy_id, disposition, is_absent, is_exact)
      select ${companyId}::bigint, seen.stands_for, seen.asset_id, seen.branch, seen.path, seen.line, seen.first_line, seen.column_number,
        seen.snippet, seen.commit_ref, seen.first_seen_at, seen.last_seen_at, seen.first_deploy_id, seen.last_deploy_id,
        seen.seen_commit, seen.seen_deploy_id, seen.disposition, true, seen.is_exact
      from seen left join before on before.issue_id = seen.stands_for and before.branch = seen.branch
      where before.id is null or before.is_absent or not before.is_open
      order by seen.stands_for, seen.branch
      on conflict (company_id, issue_id, branch) do update set path = excluded.path, line = excluded.line,
        first_line = excluded.first_line, column_number = excluded.column_number, snippet = excluded.snippet,
        own_place = ${keptPlace}, commit_ref = excluded.commit_ref, last_seen_at = greatest(occurrence.last_seen_at, excluded.last_seen_at),
        last_deploy_id = greatest(occurrence.last_deploy_id, excluded.last_deploy_id), disposition = excluded.disposition,
        is_open = true, is_absent = true, is_exact = excluded.is_exact, report_key = null
      returning id, issue_id, branch, path, line, commit_ref, last_deploy_id)
    insert into occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, deploy_id)
    select ${companyId}::bigint, now.id, now.issue_id, now.branch, now.path, now.line, now.commit_ref, now.last_deploy_id
    from (select * from mirrored union all select * from released) as now left join before on before.id = now.id
    where before.id is null or (before.path, before.line) is distinct from (now.path, now.line)`.execute(trx)
}

/** Copies to the issue what deploys introduced of a witness where the issue was not before, and what they did not remove after all. */
async function copyDeployFindings(trx: Trx, companyId: Id, issueIds: readonly Id[]): Promise<void> {
  await sql`
    with back as (
      update deploy_finding as own set disposition = told.disposition
      from finding as witness, deploy_finding as told, occurrence
      where own.company_id = ${anyCompany(companyId)} and own.issue_id = ${anyOf(issueIds)} and own.disposition = 'REMOVED'
        and witness.company_id = ${anyCompany(companyId)} and witness.merged_into_id = own.issue_id
        and told.company_id = ${anyCompany(companyId)} and told.issue_id = witness.id and told.deploy_id = own.deploy_id and told.disposition = 'TOUCHED'
        and occurrence.company_id = ${anyCompany(companyId)} and occurrence.issue_id = witness.id and occurrence.is_open
        and occurrence.disposition is distinct from 'REMOVED')
    insert into deploy_finding (company_id, deploy_id, issue_id, is_introduced)
    select distinct on (told.deploy_id, own.issue_id) told.company_id, told.deploy_id, own.issue_id, true
    from occurrence as own
    join finding as witness on witness.company_id = ${anyCompany(companyId)} and witness.merged_into_id = own.issue_id
    join deploy_finding as told on told.company_id = ${anyCompany(companyId)} and told.issue_id = witness.id and told.deploy_id = own.first_deploy_id
      and told.is_introduced
    where own.company_id = ${anyCompany(companyId)} and own.issue_id = ${anyOf(issueIds)} and own.is_absent
    on conflict (company_id, deploy_id, issue_id) do nothing`.execute(trx)
}

/** Whether a row of findings has its own severity because no scan gave one (`unrated` of ScanDigest): it says nothing against another's. */
const isUnrated = (row: RawBuilder<unknown>): RawBuilder<boolean | null> =>
  sql`${row}.scan_digest->>'unrated' = coalesce(${row}.own_severity, ${row}.severity)::text`

async function settleStanding(
  trx: Trx,
  companyId: Id,
  issueIds: readonly Id[],
  { kind, reason, authorId, scanId, deployId }: Telling,
): Promise<void> {
  // the same hash as hashOf in findings/fields.ts: a scan may change what a scan wrote, but nothing that a person wrote
  await sql`
    with issue as materialized (
      select finding.id, finding.status, coalesce(own_severity, finding.severity) as own,
        scan_digest->>'severity' = translate(left(encode(sha256(convert_to(
          to_json(coalesce(own_severity, finding.severity))::text, 'UTF8')), 'base64'), 8), '+/', '-_') as is_scans,
        coalesce(${isUnrated(sql`finding`)}, false) as is_unrated, strongest.severity as strongest, finding.status = 'FIX_ACCEPTED' and strongest.is_open as reopens
      from finding
      cross join lateral (
        select max(witness.severity) filter (where ${isUnrated(sql`witness`)} is not true) as severity, coalesce(bool_or(witness.status = 'IDENTIFIED'), false) as is_open
        from finding as witness
        where witness.company_id = ${anyCompany(companyId)} and witness.merged_into_id = finding.id) as strongest
      where finding.company_id = ${anyCompany(companyId)} and finding.id = ${anyOf(issueIds)}
      order by finding.id for update of finding),
    due as (
      select *, case when is_scans and strongest is not null and (is_unrated or strongest > own) then strongest else own end as stands
      from issue),
    settled as (
      update finding set severity = stands, own_severity = case when stands <> own then own end, updated_at = now(),
        status = case when reopens then 'IDENTIFIED' else finding.status end,
        status_reason = case when reopens then null else status_reason end,
        decided_by = case when reopens then null else decided_by end,
        decided_at = case when reopens then null else decided_at end,
        closed_at = case when reopens then null else closed_at end
      from due
      where finding.company_id = ${anyCompany(companyId)} and finding.id = any(array(select id from due)) and finding.id = due.id
        and (reopens or finding.severity <> stands or own_severity is distinct from case when stands <> own then own end)
      returning finding.id, reopens)
    insert into issue_event (company_id, issue_id, kind, action, author_id, previous_status, status, reason, scan_id, deploy_id)
    select ${companyId}::bigint, id, ${kind}, 'STATUS_CHANGED', ${authorId}::bigint, 'FIX_ACCEPTED', 'IDENTIFIED',
      ${reason}, ${scanId}::bigint, ${deployId}::bigint
    from settled where reopens`.execute(trx)
}

/** The issue of each finding, by the finding's id, and whether the issue has other findings. */
export async function findStandings(
  db: Db | Trx,
  companyId: Id,
  findingIds: readonly Id[],
): Promise<Map<Id, { issue: IssueRecord; isShared: boolean }>> {
  const { rows } = await sql<IssueRecord & { findingId: Id; isShared: boolean }>`
    select said.id as "findingId", issue.witnesses > 0 as "isShared", ${issueColumns}
    from finding as said
    cross join lateral (
      select * from finding
      where company_id = ${anyCompany(companyId)} and id = coalesce(said.merged_into_id, said.id) offset 0) as issue
    where said.company_id = ${anyCompany(companyId)} and said.id = ${anyOf(findingIds)}`.execute(db)
  return new Map(rows.map(({ findingId, isShared, ...issue }) => [findingId, { issue, isShared }]))
}
