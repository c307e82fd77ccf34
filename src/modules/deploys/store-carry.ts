// The SQL of carrying: where a branch stands, and the findings that go through a deploy's line maps.

import { sql } from 'kysely'
import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Disposition } from './carry.ts'
import type { Break, Standing } from './lineage.ts'

/** Whose deploys follow each other: an asset's branch, '' for the one without a name. */
export type Branch = { companyId: Id; assetId: Id; branch: string }

/** Lets one deploy of the asset be added at a time; false where the asset is gone. */
export async function lockAsset(trx: Trx, { companyId, assetId }: Omit<Branch, 'branch'>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from asset where company_id = ${companyId} and id = ${assetId} for no key update`.execute(trx)
  return rows.length > 0
}

const isSame = (left: string, right: string) =>
  sql<boolean>`(starts_with(${sql.ref(left)}, ${right}) or starts_with(${right}, ${sql.ref(left)}))`

type StandingRow = {
  head: string | null
  isAtPrevious: boolean
  knowsPrevious: boolean
  leftCurrent: boolean
  breakId: Id | null
  breakAt: string | null
  source: string | null
  sourceBreakId: Id | null
  sourceBreakAt: string | null
}

/** What the deploys of the asset say of the two commits, before the new one is added. */
export async function findStanding(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  { previousCommit, currentCommit }: { previousCommit: string; currentCommit: string },
): Promise<Standing> {
  const { rows } = await sql<StandingRow>`
    with mine as (
      select id, coalesce(branch_name, '') as branch, previous_commit, current_commit, lineage, is_carried, created_at
      from deploy where company_id = ${companyId} and asset_id = ${assetId}),
    heads as (select distinct on (branch) id, branch, current_commit from mine where lineage <> 'LATE' order by branch, id desc),
    breaks as (select distinct on (branch) id, branch, created_at from mine
               where lineage <> 'LATE' and not is_carried order by branch, id desc),
    source as (select branch from heads where branch <> ${branch} and ${isSame('current_commit', previousCommit)}
               order by id desc limit 1)
    select
      (select current_commit from heads where branch = ${branch}) as head,
      exists (select 1 from heads where branch = ${branch} and ${isSame('current_commit', previousCommit)}) as "isAtPrevious",
      exists (select 1 from mine where branch = ${branch}
              and (${isSame('current_commit', previousCommit)} or ${isSame('previous_commit', previousCommit)})) as "knowsPrevious",
      exists (select 1 from mine where branch = ${branch} and ${isSame('previous_commit', currentCommit)}) as "leftCurrent",
      (select id from breaks where branch = ${branch}) as "breakId",
      (select created_at from breaks where branch = ${branch}) as "breakAt",
      (select branch from source) as source,
      (select id from breaks where branch = (select branch from source)) as "sourceBreakId",
      (select created_at from breaks where branch = (select branch from source)) as "sourceBreakAt"`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('A select without a table gives one row')
  const { head, isAtPrevious, knowsPrevious, leftCurrent } = row
  return {
    head,
    isAtPrevious,
    knowsPrevious,
    leftCurrent,
    lastBreak: breakOf(row.breakId, row.breakAt),
    source:
      row.source === null ? null : { branch: row.source, lastBreak: breakOf(row.sourceBreakId, row.sourceBreakAt) },
  }
}

const breakOf = (deployId: Id | null, createdAt: string | null): Break | null =>
  deployId === null || createdAt === null ? null : { deployId, createdAt }

/** Open occurrences whose place is known at the branch's head. */
const isKnown = (lastBreak: Break | null) =>
  lastBreak === null
    ? sql<boolean>`true`
    : sql<boolean>`(last_deploy_id >= ${lastBreak.deployId} or last_seen_at >= ${lastBreak.createdAt})`

/** Gives the branch the open findings of another one, where it has no word of its own on them. */
export async function copyOccurrences(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  source: { branch: string; lastBreak: Break | null },
  deployId: Id,
): Promise<void> {
  await sql`
    with copied as (
      insert into occurrence (company_id, issue_id, asset_id, branch, path, line, first_line, column_number, snippet,
        snippet_hash, commit_ref, first_seen_at, last_seen_at, first_deploy_id, last_deploy_id, last_scan_id,
        seen_deploy_id, seen_commit, matched_by, is_absent)
      select company_id, issue_id, asset_id, ${branch}, path, line, first_line, column_number, snippet,
        snippet_hash, commit_ref, first_seen_at, last_seen_at, first_deploy_id, last_deploy_id, last_scan_id,
        seen_deploy_id, seen_commit, matched_by, is_absent
      from occurrence
      where company_id = ${companyId} and asset_id = ${assetId} and branch = ${source.branch} and is_open
        and disposition is distinct from 'REMOVED' and ${isKnown(source.lastBreak)}
      on conflict (company_id, issue_id, branch) do nothing
      returning id, issue_id, path, line, commit_ref)
    insert into occurrence_place (company_id, occurrence_id, issue_id, branch, path, line, commit_ref, deploy_id)
    select ${companyId}, id, issue_id, ${branch}, path, line, commit_ref, ${deployId} from copied`.execute(trx)
}

/**
 * What the deploy before did to findings is no longer what the last one did: it is UNCHANGED until this one's doing is
 * written, or nothing where this one says nothing of them.
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

export type StandingOccurrence = {
  id: Id
  issueId: Id
  path: string
  line: number | null
  firstLine: number | null
  fileNumber: number
}

/**
 * Locks the open occurrences of the branch that stand in files that the deploy changes, each with the number of its file.
 * What was seen at the deploy's own commit already is left out, as is what an earlier deploy removed.
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
    join occurrence on path = old_path
    where occurrence.company_id = ${companyId} and asset_id = ${assetId} and branch = ${branch} and is_open
      and disposition is distinct from 'REMOVED' and ${isKnown(lastBreak)}
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
 * Records where findings went: on the occurrence, among its places where it is elsewhere, and with the deploy. The place is
 * counted at this deploy from now on; that of an UNCHANGED one is the same at the deploy that it was counted at before.
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
        first_line = carried."firstLine", last_deploy_id = ${deploy.id},
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
