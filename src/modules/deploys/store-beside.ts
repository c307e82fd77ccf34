// The SQL of what a page of deploys shows beside each row: one statement for all of them.

import { sql } from 'kysely'
import { isCounted } from '../../core/db/branch-heads.ts'
import { byId } from '../../core/db/by-id.ts'
import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { AnalysedFile } from './analysis.ts'
import type { Disposition } from './carry.ts'
import type { Commit } from './history.ts'

/** Identifies a deploy in a batch. */
export type DeployKey = { companyId: Id; id: Id }

const companiesOf = (keys: readonly DeployKey[]) => keys.map(({ companyId }) => companyId)
const idsOf = (keys: readonly DeployKey[]) => keys.map(({ id }) => id)

/** The commits of each deploy, at most `limit` of each. */
export async function findCommits(
  db: Db,
  keys: readonly DeployKey[],
  limit: number,
): Promise<{ id: Id; commits: Commit[] }[]> {
  const { rows } = await sql<{ id: Id; commits: Commit[] }>`
    select deploy.id, jsonb_path_query_array(commits, '$[0 to $last]', jsonb_build_object('last', ${limit - 1}::int)) as commits
    from unnest(${companiesOf(keys)}::bigint[], ${idsOf(keys)}::bigint[]) as wanted(company_id, id)
    join deploy on deploy.company_id = wanted.company_id and deploy.id = wanted.id`.execute(db)
  return rows
}

export type FindingCounts = { moved: number; renamed: number; touched: number; removed: number }
type FileFindingCounts = FindingCounts & { id: Id; number: number }

const counts = sql`
  count(*) filter (where disposition = 'MOVED')::int as moved,
  count(*) filter (where disposition = 'RENAMED')::int as renamed,
  count(*) filter (where disposition = 'TOUCHED')::int as touched,
  count(*) filter (where disposition = 'REMOVED')::int as removed`

/** Leaves out witnesses, because their issue has the same record. */
export const isOfIssue = sql`not exists (
  select from ${byId(sql`finding`, sql`deploy_finding.company_id`, sql`deploy_finding.issue_id`)} as finding
  where merged_into_id is not null)`

export async function countFindings(db: Db, keys: readonly DeployKey[]): Promise<(FindingCounts & { id: Id })[]> {
  const { rows } = await sql<FindingCounts & { id: Id }>`
    select deploy_id as id, ${counts}
    from unnest(${companiesOf(keys)}::bigint[], ${idsOf(keys)}::bigint[]) as wanted(company_id, id)
    join deploy_finding on deploy_finding.company_id = wanted.company_id and deploy_id = wanted.id and ${isOfIssue}
    group by deploy_id`.execute(db)
  return rows
}

/** As countFindings, for one file of each deploy. */
export async function countFileFindings(
  db: Db,
  keys: readonly (DeployKey & { number: number })[],
): Promise<FileFindingCounts[]> {
  const numbers = keys.map(({ number }) => number)
  const { rows } = await sql<FileFindingCounts>`
    select deploy_id as id, number, ${counts}
    from unnest(${companiesOf(keys)}::bigint[], ${idsOf(keys)}::bigint[], ${numbers}::int[]) as wanted(company_id, id, number)
    join deploy_finding on deploy_finding.company_id = wanted.company_id and deploy_id = wanted.id
      and file_number = wanted.number and ${isOfIssue}
    group by deploy_id, number`.execute(db)
  return rows
}

/** What each deploy did to each finding; UNCHANGED for a finding that was open on the branch and has no record. */
export async function findDispositions(
  db: Db,
  keys: readonly (DeployKey & { issueId: Id })[],
): Promise<{ id: Id; issueId: Id; disposition: Disposition | 'UNCHANGED' }[]> {
  const issueIds = keys.map(({ issueId }) => issueId)
  const { rows } = await sql<{ id: Id; issueId: Id; disposition: Disposition | 'UNCHANGED' }>`
    select wanted.id, wanted.issue_id as "issueId", coalesce(finding.disposition, 'UNCHANGED') as disposition
    from unnest(${companiesOf(keys)}::bigint[], ${idsOf(keys)}::bigint[], ${issueIds}::bigint[])
      as wanted(company_id, id, issue_id)
    join deploy on deploy.company_id = wanted.company_id and deploy.id = wanted.id
    left join deploy_finding as finding on finding.company_id = wanted.company_id and finding.deploy_id = wanted.id
      and finding.issue_id = wanted.issue_id
    left join occurrence on occurrence.company_id = wanted.company_id and occurrence.issue_id = wanted.issue_id
      and occurrence.branch = deploy.branch
    where finding.disposition is not null
      or (deploy.is_carried and finding.issue_id is null and occurrence.is_open
          and occurrence.disposition is distinct from 'REMOVED'
          and (occurrence.first_deploy_id < deploy.id
               or (occurrence.first_deploy_id is null and occurrence.first_seen_at < deploy.created_at))
          and ${isCounted(sql`occurrence`, sql`null::bigint`)}
          and not exists (
            select 1 from deploy as break
            where break.company_id = deploy.company_id and break.asset_id = deploy.asset_id and break.id < deploy.id
              and break.branch = occurrence.branch and not break.is_carried and break.lineage <> 'LATE'
              and (occurrence.last_deploy_id >= break.id or occurrence.last_seen_at >= break.created_at) is not true))`.execute(
    db,
  )
  return rows
}

export type DeployFile = DeployKey &
  Omit<AnalysedFile, 'packed' | 'ranges'> & {
    /** the index of the request that it answers */
    ask: number
    /** the first packed regions; bytes after the last whole region are to be ignored */
    hunks: Buffer
    ranges: string[]
  }

/** The columns read of a file. */
export const fileColumns = (hunkBytes: number) => sql`number, old_path as "oldPath", new_path as "newPath", kind,
  is_binary as binary, added, removed, language, substr(hunks, 1, ${hunkBytes}::int) as hunks, ranges`

/** Files `after` to `after + limit` of each deploy, by number; numbers have no gaps. */
export async function findFiles(
  db: Db,
  asks: readonly (DeployKey & { after: number; limit: number })[],
  hunkBytes: number,
): Promise<DeployFile[]> {
  const { rows } = await sql<DeployFile>`
    select deploy_file.company_id as "companyId", deploy_id as id, (ask - 1)::int as ask, ${fileColumns(hunkBytes)}
    from unnest(${companiesOf(asks)}::bigint[], ${idsOf(asks)}::bigint[], ${asks.map(({ after }) => after)}::int[],
                ${asks.map(({ limit }) => limit)}::int[]) with ordinality as asked(company_id, id, after, size, ask)
    cross join lateral (
      select * from deploy_file
      where deploy_file.company_id = asked.company_id and deploy_id = asked.id and number > asked.after and number <= asked.after + asked.size
      order by number offset 0) as deploy_file
    order by number`.execute(db)
  return rows
}

/** Object keys of stored diffs, by deploy. */
export async function findDiffKeys(db: Db, keys: readonly DeployKey[]): Promise<{ id: Id; objectKey: string }[]> {
  const { rows } = await sql<{ id: Id; objectKey: string }>`
    select deploy.id, object_key as "objectKey"
    from unnest(${companiesOf(keys)}::bigint[], ${idsOf(keys)}::bigint[]) as wanted(company_id, id)
    join deploy on deploy.company_id = wanted.company_id and deploy.id = wanted.id
    join stored_object on stored_object.company_id = deploy.company_id and stored_object.id = diff_object_id`.execute(
    db,
  )
  return rows
}
