// The SQL that moves a part of a finding's places to a new finding.

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { ownWeaknesses } from './findings/store-witness-words.ts'

/** The place at which a split begins, and the one before it on the branch. */
export type SplitPoint = {
  placeId: Id
  issueId: Id
  occurrenceId: Id
  assetId: Id
  branch: string
  headId: Id | null
  before: { path: string | null; line: number | null; deployId: Id | null } | null
  hasOtherBranch: boolean
  /** whether a deploy, not a report, put the finding there */
  isCarried: boolean
}

export async function findSplitPoint(trx: Trx, companyId: Id, placeId: Id): Promise<SplitPoint | null> {
  const { rows } = await sql<SplitPoint>`
    select place.id as "placeId", place.issue_id as "issueId", place.occurrence_id as "occurrenceId", occurrence.asset_id as "assetId",
      place.branch, (
        select max(id) from deploy where company_id = ${companyId} and asset_id = occurrence.asset_id
          and branch = place.branch and lineage <> 'LATE') as "headId", (
        select jsonb_build_object('path', path, 'line', line, 'deployId', deploy_id::text) from occurrence_place as earlier
        where earlier.company_id = ${companyId} and earlier.issue_id = place.issue_id
          and earlier.occurrence_id = place.occurrence_id and earlier.id < place.id
        order by id desc limit 1) as before, exists (
        select from occurrence as other
        where other.company_id = ${companyId} and other.issue_id = place.issue_id and other.id <> place.occurrence_id) as "hasOtherBranch",
      place.matched_by is null as "isCarried"
    from occurrence_place as place
    join occurrence on occurrence.company_id = ${companyId} and occurrence.id = place.occurrence_id
    where place.company_id = ${companyId} and place.id = ${placeId}`.execute(trx)
  return rows[0] ?? null
}

/** Copies the finding's fields without its history; the copy is open and undecided. */
export async function copyFinding(trx: Trx, companyId: Id, id: Id): Promise<Id> {
  const { rows } = await sql<{ id: Id }>`
    insert into finding (company_id, asset_id, type, tool_name, rule, title, description, severity, impact_level, probability_level,
      cvss_score, cvss_vector, status, category, cwe_ids, patterns, reference, solution, summary, impact_description,
      steps_to_reproduce, compromised_environment, original_issue_id, fingerprint, partial_fingerprint, source, sink, commit_ref,
      project_id, scan_id, deploy_id, author_id, detail, scan_digest, birth_key)
    select company_id, asset_id, type, tool_name, rule, title, description, coalesce(own_severity, severity), impact_level,
      probability_level, cvss_score, cvss_vector, 'IDENTIFIED', category, ${ownWeaknesses(sql`finding`)}, patterns, reference, solution, summary,
      impact_description, steps_to_reproduce, compromised_environment, original_issue_id, fingerprint, partial_fingerprint, source,
      sink, commit_ref, project_id, scan_id, deploy_id, author_id, detail, scan_digest, ${randomBytes(32)}
    from finding where company_id = ${companyId} and id = ${id}
    returning id`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('An insert gave no row')
  return row.id
}

/** Moves everything on the branch to the other finding. */
export async function moveBranch(trx: Trx, companyId: Id, point: SplitPoint, toId: Id): Promise<void> {
  await sql`
    with moved as (
      update occurrence set issue_id = ${toId}, report_key = null where company_id = ${companyId} and id = ${point.occurrenceId}),
    places as (
      update occurrence_place set issue_id = ${toId}
      where company_id = ${companyId} and issue_id = ${point.issueId} and occurrence_id = ${point.occurrenceId}),
    seen as (
      update import_seen set issue_id = ${toId} from import_scope as scope
      where import_seen.company_id = ${companyId} and import_seen.issue_id = ${point.issueId}
        and scope.company_id = ${companyId} and scope.id = scope_id and scope.branch = ${point.branch})
    update deploy_finding set issue_id = ${toId} from deploy
    where deploy_finding.company_id = ${companyId} and deploy_finding.issue_id = ${point.issueId}
      and deploy.company_id = ${companyId} and deploy.id = deploy_id and branch = ${point.branch}`.execute(trx)
}

/** Whether the code that a report compared at an earlier place is, apart from white space, that of the occurrence. */
const isSameCode = sql`(reported.observed->>'snippetHash')::bigint = occurrence.snippet_hash`

/** The remaining finding's place at the head of the branch. */
export type StayingPlace = { path: string | null; line: number | null; deployId: Id | null }

/**
 * Moves the places from `point` on to the other finding, with the evidence compared last, and marks it as introduced by the deploy there. The
 * remaining finding is where it was before, with the evidence compared there. Its code is shown if it is the same: of other code only a hash
 * is kept, and its text comes with the next report.
 */
export async function movePlaces(
  trx: Trx,
  companyId: Id,
  point: SplitPoint,
  toId: Id,
  staying: StayingPlace,
): Promise<void> {
  await sql`
    with made as (
      insert into occurrence (company_id, issue_id, asset_id, branch, path, line, first_line, column_number, snippet, snippet_hash,
        commit_ref, first_seen_at, last_seen_at, first_deploy_id, last_deploy_id, last_scan_id, disposition, is_open, is_absent,
        own_place, seen_commit, seen_deploy_id, matched_by, is_exact)
      select company_id, ${toId}::bigint, asset_id, branch, path, line, first_line, column_number, snippet, snippet_hash, commit_ref,
        first_seen_at, last_seen_at, last_deploy_id, last_deploy_id, last_scan_id, disposition, is_open, is_absent, own_place,
        seen_commit, seen_deploy_id, matched_by, is_exact
      from occurrence where company_id = ${companyId} and id = ${point.occurrenceId}
      returning id),
    places as (
      update occurrence_place set issue_id = ${toId}, occurrence_id = made.id from made
      where company_id = ${companyId} and issue_id = ${point.issueId} and occurrence_id = ${point.occurrenceId}
        and occurrence_place.id >= ${point.placeId}),
    introduced as (
      insert into deploy_finding (company_id, deploy_id, issue_id, is_introduced)
      select deploy.company_id, deploy.id, ${toId}::bigint, true
      from occurrence_place as place
      join deploy on deploy.company_id = ${companyId} and deploy.id = place.deploy_id and deploy.branch = place.branch
      where place.company_id = ${companyId} and place.id = ${point.placeId})
    insert into import_seen (company_id, scope_id, issue_id)
    select seen.company_id, seen.scope_id, ${toId}::bigint
    from import_seen as seen
    join import_scope as scope on scope.company_id = ${companyId} and scope.id = seen.scope_id and scope.branch = ${point.branch}
    where seen.company_id = ${companyId} and seen.issue_id = ${point.issueId}
    on conflict do nothing`.execute(trx)
  // evidence is stored with places that a report set, not with those to which a deploy carried the finding
  await sql`
    with last as (
      select * from occurrence_place
      where company_id = ${companyId} and issue_id = ${point.issueId} and occurrence_id = ${point.occurrenceId}
      order by id desc limit 1),
    reported as (
      select * from occurrence_place
      where company_id = ${companyId} and issue_id = ${point.issueId} and id < ${point.placeId} and observed is not null
      order by occurrence_id = ${point.occurrenceId} desc, id desc limit 1),
    back as (
      update occurrence set path = ${staying.path}, line = ${staying.line}::int,
        first_line = case when ${isSameCode} then ${staying.line}::int - occurrence.line + occurrence.first_line end,
        column_number = (reported.observed->>'column')::int,
        snippet = case when reported.observed ? 'token' then reported.observed->>'token' when ${isSameCode} then occurrence.snippet end,
        snippet_hash = (reported.observed->>'snippetHash')::bigint, commit_ref = last.commit_ref, seen_commit = reported.commit_ref,
        seen_deploy_id = reported.deploy_id, last_deploy_id = coalesce(${staying.deployId}::bigint, last.deploy_id), disposition = null,
        is_exact = last.commit_ref is null or ${staying.deployId}::bigint is not null, matched_by = reported.matched_by,
        report_key = null, is_open = is_open and not is_absent, is_absent = false, own_place = null
      from last left join reported on true
      where occurrence.company_id = ${companyId} and occurrence.id = ${point.occurrenceId})
    update finding set original_issue_id = observed->>'toolId', fingerprint = observed->>'fingerprint',
      partial_fingerprint = observed->>'partialFingerprint', updated_at = now()
    from reported where finding.company_id = ${companyId} and finding.id = ${point.issueId}`.execute(trx)
}

/** Closes findings that are on no branch any more, unless a person decided otherwise; returns the former status of each. */
export async function closeWhereGone(
  trx: Trx,
  companyId: Id,
  ids: readonly Id[],
  reason: string,
): Promise<{ id: Id; status: IssueStatus }[]> {
  const { rows } = await sql<{ id: Id; status: IssueStatus }>`
    with gone as (
      select id, status from finding
      where company_id = ${companyId} and id = any(${ids}::bigint[]) and status = any(${openStatuses}::issue_status[])
        and exists (select from occurrence where company_id = ${companyId} and issue_id = finding.id)
        and not exists (select from occurrence where company_id = ${companyId} and issue_id = finding.id and is_open)
      order by id for update)
    update finding set status = 'FIX_ACCEPTED', status_reason = ${reason}, closed_at = now(), updated_at = now()
    from gone where finding.company_id = ${companyId} and finding.id = gone.id returning gone.id, gone.status`.execute(
    trx,
  )
  return rows
}
