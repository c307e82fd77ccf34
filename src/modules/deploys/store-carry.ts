// The SQL that carries findings through a deploy's line maps.

import { type RawBuilder, sql } from 'kysely'
import { isCommit } from '../../core/commits.ts'
import { isKnownPlace } from '../../core/db/branch-heads.ts'
import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Disposition } from './carry.ts'
import type { Break, Source } from './lineage.ts'
import type { Branch } from './store-standing.ts'

/** Whether an occurrence is open and its place is known at the branch's head. */
const isKnown = (lastBreak: Break | null) =>
  isKnownPlace(
    sql`occurrence`,
    sql`${lastBreak?.deployId ?? null}::bigint`,
    sql`${lastBreak?.createdAt ?? null}::timestamptz`,
  )

/** Copies to the branch the open findings of another one, as they were there, unless the branch has occurrences of its own. */
export async function copyOccurrences(
  trx: Trx,
  branch: Branch,
  { branch: source, lastBreak, asOf }: Source,
  deployId: Id,
): Promise<void> {
  const { companyId, assetId } = branch
  await sql`
    with copied as (
      insert into occurrence (company_id, issue_id, asset_id, branch, path, line, first_line, column_number, snippet,
        snippet_hash, commit_ref, first_seen_at, last_seen_at, first_deploy_id, last_deploy_id, last_scan_id,
        seen_deploy_id, seen_commit, matched_by, is_absent)
      select company_id, issue_id, asset_id, ${branch.branch}, stood.path, stood.line, first_line + stood.line - occurrence.line,
        column_number, snippet, snippet_hash, stood.commit_ref, first_seen_at, last_seen_at, first_deploy_id, last_deploy_id,
        last_scan_id, seen_deploy_id, seen_commit, matched_by, is_absent
      from occurrence cross join lateral ${asOf === null ? standsThere : stoodThere(source, asOf)} as stood
      where company_id = ${companyId} and asset_id = ${assetId} and branch = ${source} and is_open and ${isKnown(lastBreak)}
      on conflict (company_id, issue_id, branch) do nothing
      returning id, issue_id, path, line, commit_ref)
    insert into occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, deploy_id)
    select ${companyId}, id, issue_id, ${branch.branch}, path, line, commit_ref, ${deployId} from copied`.execute(trx)
}

const standsThere = sql`(
        select occurrence.path, occurrence.line, occurrence.commit_ref where occurrence.disposition is distinct from 'REMOVED')`

/** The last place of the finding on the branch up to the deploy, unless it appeared later or was removed before. */
const stoodThere = (branch: string, asOf: Id) => sql`(
        select place.path, place.line, place.commit_ref from occurrence_place as place
        where place.company_id = occurrence.company_id and place.issue_id = occurrence.issue_id
          and place.occurrence_id = occurrence.id and place.deploy_id <= ${asOf}
          and (occurrence.disposition is distinct from 'REMOVED' or exists (
            select from deploy join deploy_finding on deploy_finding.company_id = deploy.company_id and deploy_id = deploy.id
            where deploy.company_id = occurrence.company_id and deploy.asset_id = occurrence.asset_id
              and deploy.branch = ${branch} and deploy.id > ${asOf}
              and deploy_finding.issue_id = occurrence.issue_id and deploy_finding.disposition = 'REMOVED'))
        order by place.id desc limit 1)`

/**
 * Resets the dispositions of the previous deploy: they become UNCHANGED until this deploy's are written, or empty if this deploy says
 * nothing about the findings.
 */
export async function resetDispositions(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  deploy: { isCarried: boolean; lastBreak: Break | null },
): Promise<void> {
  const next = deploy.isCarried
    ? sql`case when ${isKnown(deploy.lastBreak)} then 'UNCHANGED'::disposition end`
    : sql`null`
  const past = deploy.isCarried ? ['MOVED', 'RENAMED', 'TOUCHED'] : ['MOVED', 'RENAMED', 'TOUCHED', 'UNCHANGED']
  await sql`
    update occurrence set disposition = ${next}
    where company_id = ${companyId} and asset_id = ${assetId} and branch = ${branch} and is_open
      and disposition = any(${past}::disposition[])`.execute(trx)
}

/** The branch's occurrences in each preceding row's file, looked up by path: without statistics the planner would read them all for each. */
const standingIn = ({ companyId, assetId, branch }: Branch, path: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      cross join lateral (
        select id from occurrence
        where company_id = ${companyId} and asset_id = ${assetId} and branch = ${branch} and path = changed.${path} offset 0) as there
      join occurrence on occurrence.company_id = ${companyId} and occurrence.id = there.id`

type StandingOccurrence = {
  id: Id
  issueId: Id
  path: string
  line: number | null
  firstLine: number | null
  fileNumber: number
}

/**
 * Locks the branch's open occurrences in files that the deploy changes, and returns each with the number of its file. Leaves out what was
 * already reported at the deploy's own commit, and what an earlier deploy removed.
 */
export async function lockOccurrences(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  deploy: { id: Id; currentCommit: string },
  lastBreak: Break | null,
): Promise<StandingOccurrence[]> {
  const { rows } = await sql<StandingOccurrence>`
    select occurrence.id, issue_id as "issueId", path, line, first_line as "firstLine", changed.number as "fileNumber"
    from (
      select distinct on (old_path) old_path, number from deploy_file
      where company_id = ${companyId} and deploy_id = ${deploy.id} and kind <> 'COPIED'
      order by old_path, number) as changed
    ${standingIn({ companyId, assetId, branch }, sql`old_path`)}
    where is_open and disposition is distinct from 'REMOVED' and ${isKnown(lastBreak)}
      and not (length(commit_ref) >= 7 and (starts_with(lower(commit_ref), ${deploy.currentCommit})
               or starts_with(${deploy.currentCommit}, lower(commit_ref)))) is true
    order by occurrence.id
    for update of occurrence`.execute(trx)
  return rows
}

export type CarriedOccurrence = {
  id: Id
  issueId: Id
  disposition: Disposition
  path: string
  line: number | null
  firstLine: number | null
  isElsewhere: boolean
  fileNumber: number
}

/**
 * Records where findings went: on the occurrence, in its list of places if it has moved, and with the deploy. From now on the place is as of
 * this deploy; for an UNCHANGED finding the deploy that it is as of stays, because the place is the same.
 */
export async function writeCarried(
  trx: Trx,
  { companyId, branch }: Branch,
  deploy: { id: Id; currentCommit: string },
  carried: readonly CarriedOccurrence[],
): Promise<void> {
  await sql`
    with carried as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(carried)}::jsonb) as row(id bigint, "issueId" bigint,
        disposition disposition, path text, line int, "firstLine" int, "isElsewhere" boolean, "fileNumber" int)),
    updated as (
      update occurrence set disposition = carried.disposition, path = carried.path, line = carried.line,
        first_line = carried."firstLine", last_deploy_id = ${deploy.id}, is_exact = true,
        commit_ref = case when carried."isElsewhere" then ${deploy.currentCommit} else occurrence.commit_ref end
      from carried where occurrence.company_id = ${companyId} and occurrence.id = carried.id),
    placed as (
      insert into occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, deploy_id, disposition)
      select ${companyId}, id, "issueId", ${branch}, path, line, ${deploy.currentCommit}, ${deploy.id}, disposition
      from carried where "isElsewhere")
    insert into deploy_finding (company_id, deploy_id, issue_id, disposition, file_number)
    select ${companyId}, ${deploy.id}, "issueId", disposition, "fileNumber" from carried
    on conflict (company_id, deploy_id, issue_id)
      do update set disposition = excluded.disposition, file_number = excluded.file_number`.execute(trx)
}

/**
 * Marks as introduced by the deploy what was reported at the deploy's own commit before the deploy itself was sent, in files that it changes,
 * and at no earlier commit. Writes at most `most` at once, and returns their number.
 */
export async function introduceReported(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  deploy: { id: Id; currentCommit: string },
  most: number,
): Promise<number> {
  const isOwn = isCommit(sql`lower(seen_commit)`, sql`${deploy.currentCommit}::text`)
  const { rows } = await sql<{ count: number }>`
    with chosen as materialized (
      select occurrence.id, changed.number from (
        select new_path, min(number) as number from deploy_file
        where company_id = ${companyId} and deploy_id = ${deploy.id} group by new_path) as changed
      ${standingIn({ companyId, assetId, branch }, sql`new_path`)}
      where is_open and first_deploy_id is null and ${isOwn} and not exists (
          select from occurrence_place as earlier
          where earlier.company_id = ${companyId} and earlier.issue_id = occurrence.issue_id and earlier.occurrence_id = occurrence.id
            and lower(earlier.commit_ref) is distinct from lower(seen_commit) order by earlier.id offset 0)
      order by occurrence.id limit ${most} for update of occurrence),
    reported as (
      update occurrence set first_deploy_id = ${deploy.id}, seen_deploy_id = ${deploy.id}, last_deploy_id = ${deploy.id},
        is_exact = true
      from chosen where occurrence.company_id = ${companyId} and occurrence.id = chosen.id
      returning issue_id, chosen.number),
    written as (
      insert into deploy_finding (company_id, deploy_id, issue_id, is_introduced, file_number)
      select ${companyId}, ${deploy.id}, issue_id, true, number from reported
      on conflict (company_id, deploy_id, issue_id) do update set is_introduced = true)
    select count(*)::int as count from reported`.execute(trx)
  return rows[0]?.count ?? 0
}
