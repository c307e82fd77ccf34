// Where a branch of an asset stands: its newest deploy, read from one index. A deploy that arrives late does not move the branch.

import { type RawBuilder, sql } from 'kysely'
import { isCommit } from '../commits.ts'

type OfBranch = Record<'companyId' | 'assetId' | 'branch', string | RawBuilder<unknown>>

/** What follows `where` for the deploy at which the branch stands. */
export const headOf = (of: OfBranch): RawBuilder<unknown> => newest(of, sql`lineage <> 'LATE'`)

/** What follows `where` for the last one at which the lines of findings seen before were lost. */
export const lastBreakOf = (of: OfBranch): RawBuilder<unknown> => newest(of, sql`lineage <> 'LATE' and not is_carried`)

/** What follows `where` for the rows of deploy_commit of the deploys of a branch that went through a commit on their way to another one. */
export const passing = ({ companyId, assetId, branch }: OfBranch, commit: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`deploy_commit.company_id = ${companyId} and deploy_commit.asset_id = ${assetId} and deploy_commit.branch = ${branch}
  and ${isCommit(sql`deploy_commit.commit`, commit)}`

/**
 * Whether the place of `row`, an occurrence, is known where its branch stands, of which `breakId` is the last break and `breakAt` its time, or
 * null: it has been reported or carried since, and the deploys since then lead to the commit that it is counted at, or come from it. Of a
 * place that was reported at a commit of the deploys nothing is looked up.
 */
export const isKnownPlace = (row: RawBuilder<unknown>, breakId: RawBuilder<unknown>, breakAt: RawBuilder<unknown>) =>
  sql<boolean>`((${breakId} is null or ${row}.last_deploy_id >= ${breakId} or ${row}.last_seen_at >= ${breakAt}) is true
    and ${isCounted(row, breakId)})`

/** Whether the place of `row` is counted at a commit that the deploys of its branch, from the one with the id `since` on, lead to or come from. */
export const isCounted = (row: RawBuilder<unknown>, since: RawBuilder<unknown>) =>
  sql<boolean>`(${row}.is_exact or ${isOfDeploy(row, since, sql`current_commit`, sql`true`)}
    or ${isOfDeploy(row, since, sql`previous_commit`, sql`is_carried`)})`

/** The commits first, which are few of any asset, whatever the planner takes them for. */
const isOfDeploy = (
  row: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
  commit: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
) => sql`exists (
  select from (
    select * from deploy where deploy.company_id = ${row}.company_id and deploy.asset_id = ${row}.asset_id
      and ${isCommit(commit, sql`${row}.commit_ref`)} offset 0) as deploy
  where deploy.branch = ${row}.branch and lineage <> 'LATE' and (${since} is null or deploy.id >= ${since}) and ${condition})`

/** The branch is a span of one name, because PostgreSQL may look for the newest id of an equal one among all deploys of the company. */
export const ofBranch = ({ companyId, assetId, branch }: OfBranch) =>
  sql`deploy.company_id = ${companyId} and deploy.asset_id = ${assetId} and deploy.branch between ${branch} and ${branch}`

const newest = (of: OfBranch, condition: RawBuilder<unknown>) =>
  sql`${ofBranch(of)} and ${condition}
  order by deploy.branch, deploy.id desc limit 1`
