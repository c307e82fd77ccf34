// The SQL that takes in unchanged findings of a report: bucket by bucket, as a set, without matching each.

import { type RawBuilder, sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import { isKnownPlace } from '../../core/db/branch-heads.ts'
import { inOrderOf } from '../../core/db/in-order-of.ts'
import type { Trx } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'
import { isCountable, type Scan } from '../issues/findings/service.ts'
import { FINDING, type ImportKey } from './store-stage.ts'

/** How many findings of a section were taken in, and how many of them are open. */
export type Unchanged = { section: number; count: number; open: number }

/** The origin of a report: its scan, the value of reportAskOf, and the scope of each section. */
export type Origin = { scan: Scan; reportAsk: string; scopeIds: readonly Id[] }

/** Up to this many places per finding of the report, reading all places is cheaper than looking up each finding. */
const MOST_PLACES = 8

/**
 * How to find the places of a report's `findings`. NONE: nothing is open on the scanned branch, so nothing can be unchanged. ALL: the asset
 * has so few places that all are read. EACH: each is looked up. One statement, in the order of indexes, because the first places of any order
 * are expected soon in the table, and may be the last of it.
 */
export async function waysToPlaces(
  trx: Trx,
  { companyId, assetId, branch }: Scan,
  findings: number,
): Promise<'NONE' | 'ALL' | 'EACH'> {
  const ofAsset = sql`company_id = ${companyId} and asset_id = ${assetId}`
  const { rows } = await sql<{ hasOpen: boolean; isMany: boolean }>`
    select exists (
        select from occurrence where ${ofAsset} and is_open and ${inOrderOf(sql`branch`, branch)}) as "hasOpen",
      exists (select from occurrence where ${ofAsset} order by path offset ${MOST_PLACES * findings}::bigint) as "isMany"`.execute(
    trx,
  )
  const [found] = rows
  if (!found?.hasOpen) return 'NONE'
  return found.isMany ? 'EACH' : 'ALL'
}

/** Whether `issue` is open. */
export const isOpenNow = sql<boolean>`status = any(${openStatuses}::issue_status[])`

/**
 * Whether the issue's only place on the branch is open as its last report left it, and nobody else has reported or changed the issue since,
 * so that the same report would change nothing but the time when it was last seen.
 */
export const isAsReported = sql<boolean>`place.is_open and not place.is_absent and place.disposition is distinct from 'REMOVED'
  and issue.updated_at = place.report_at and issue.merged_into_id is null and issue.witnesses = 0 and issue.status <> 'FIX_ACCEPTED'
  and (issue.decided_at is not null or issue.status = 'DRAFT' or issue.status = any(${openStatuses}::issue_status[]))`

/** The writes for the rows of `taken` (number, at, id of the place, issue_id, matched_by), as parts of a WITH. */
export function seenAgain(
  { companyId, id }: ImportKey,
  { scan, reportAsk }: Pick<Origin, 'scan' | 'reportAsk'>,
  scopeOfRow: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { commit, deployId, scanId, newestDeployId, breakId, breakAt } = scan
  const isKnown = isKnownPlace(sql`occurrence`, sql`${breakId}::bigint`, sql`${breakAt}::timestamptz`)
  return sql`
    touched as (
      update occurrence set last_seen_at = now(), matched_by = taken.matched_by, seen_commit = coalesce(${commit}::text, seen_commit),
        commit_ref = coalesce(${commit}::text, commit_ref), is_exact = ${isCountable(scan)}::boolean or ${isKnown}, seen_deploy_id = greatest(seen_deploy_id, ${deployId}::bigint),
        last_deploy_id = greatest(last_deploy_id, ${deployId}::bigint), last_scan_id = coalesce(${scanId}::bigint, last_scan_id),
        report_ask = ${reportAsk}::bigint, report_deploy_id = ${newestDeployId}::bigint
      -- by id: rows that lie side by side in the table and in its index cost less one after the other
      from (select * from taken order by id) as taken where occurrence.company_id = ${companyId} and occurrence.id = taken.id),
    told as (
      insert into import_row (company_id, import_id, number, at, disposition, matched_by, issue_id)
      select ${companyId}::bigint, ${id}::bigint, number, at, 'UNCHANGED', matched_by, issue_id from taken),
    -- nearly all are known, and looking first costs less than a row that meets another
    noted as (
      insert into import_seen (company_id, scope_id, issue_id)
      select ${companyId}::bigint, scope_id, issue_id
      from (select ${scopeOfRow} as scope_id, issue_id from taken offset 0) as has
      where not exists (
        select from import_seen as seen
        where seen.company_id = ${anyCompany(companyId)} and seen.scope_id = has.scope_id and seen.issue_id = has.issue_id offset 0)
      order by 2, 3 on conflict do nothing)`
}

/** The columns of the place's issue that isAsReported needs. */
const standingIssue = (companyId: Id) => sql`
  select updated_at, status, decided_at, witnesses, merged_into_id, ${isOpenNow} as is_open from finding
  where company_id = ${anyCompany(companyId)} and id = place.issue_id offset 0`

/** For each staged row, the only place that is where the row says, looked up by the row's digest. */
const lookedUp = ({ companyId }: ImportKey, { assetId, branch }: Scan, staged: RawBuilder<unknown>) => sql`
  select staged.row, bucket, number, section, at, matched_by, known.*
  from ${staged}
  left join lateral (
    select min(place.id) as id, min(place.issue_id) as issue_id, bool_and(issue.is_open) as is_open
    from (select * from occurrence where company_id = ${companyId} and report_key = staged.report_key offset 0) as place
    cross join lateral (${standingIssue(companyId)}) as issue
    where place.asset_id = ${assetId} and place.branch = ${branch} and ${isAsReported}
      and place.path is not distinct from staged.path and place.line is not distinct from staged.line
    having count(*) = 1) as known on true`

/**
 * As lookedUp, but reads all places of the branch in sequence, so that their issues lie side by side, and joins them with the rows as a set.
 * The planner cannot know the size of either side: a full join is never a nested loop, and `offset 0` keeps it from becoming another kind
 * of join. A line is never 0.
 */
const met = ({ companyId }: ImportKey, { assetId, branch }: Scan, staged: RawBuilder<unknown>) => sql`
  select * from (
    select staged.row, bucket, number, section, at, matched_by, known.id, known.issue_id, known.is_open
    from ${staged}
    full join (
      select min(place.id) as id, min(place.issue_id) as issue_id, bool_and(issue.is_open) as is_open, place.report_key, place.path, place.line
      from occurrence as place
      cross join lateral (${standingIssue(companyId)}) as issue
      where place.company_id = ${companyId} and place.asset_id = ${assetId} and place.branch = ${branch}
        and place.report_key is not null and ${isAsReported}
      group by place.report_key, place.path, place.line having count(*) = 1) as known
    on known.report_key = staged.report_key
      and coalesce(known.path, '') = coalesce(staged.path, '') and (known.path is null) = (staged.path is null)
      and coalesce(known.line, 0) = coalesce(staged.line, 0)
    offset 0) as met
  where number is not null`

/**
 * Takes in the buckets from `from` to `to` (inclusive) whose findings are all unchanged: each is open, alone, where the report has it, and as
 * its last report described it. Every rule would match such a finding, so only the time when it was last seen changes. A bucket with one
 * finding that differs is left untouched. Requires that the asset is locked and that the scan is not of an older commit. One statement.
 */
export async function takeUnchanged(
  trx: Trx,
  key: ImportKey,
  { scan, reportAsk, scopeIds }: Origin,
  from: bigint,
  to: bigint,
  way: 'ALL' | 'EACH',
): Promise<Unchanged[]> {
  const { companyId, id } = key
  const staged = sql`(
    select ctid as row, bucket, number, section, at, matched_by, report_key, path, line from import_staged
    where company_id = ${companyId} and import_id = ${id} and kind = ${FINDING}
      and bucket between ${String(from)}::bigint and ${String(to)}::bigint offset 0) as staged`
  const compared = way === 'ALL' ? met(key, scan, staged) : lookedUp(key, scan, staged)
  const { rows } = await sql<Unchanged>`
    with compared as materialized (${compared}),
    -- a window and no join: how many buckets there are the planner cannot know
    taken as materialized (
      select * from (
        select judged.*, count(*) over bucket_of = count(id) over bucket_of and max(turn) over bucket_of = 1 as is_whole
        from (select compared.*, row_number() over (partition by bucket, id) as turn from compared) as judged
        window bucket_of as (partition by bucket)) as counted
      where is_whole),
    ${seenAgain(key, { scan, reportAsk }, sql`(${scopeIds}::bigint[])[section + 1]`)},
    gone as (delete from import_staged where ctid = any(array(select row from taken)))
    select section, count(*)::int as count, count(*) filter (where is_open)::int as open from taken group by section`.execute(
    trx,
  )
  return rows
}
