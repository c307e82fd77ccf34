// Where a branch of an asset stands: its newest deploy, read from one index. A deploy that arrives late does not move the branch.

import { type RawBuilder, sql } from 'kysely'
import { isCommit } from '../commits.ts'

type OfBranch = Record<'companyId' | 'assetId' | 'branch', string | RawBuilder<unknown>>

/** The condition, after `where`, for the deploy at which the branch stands. */
export const headOf = (of: OfBranch): RawBuilder<unknown> => newest(of, sql`lineage <> 'LATE'`)

/** The condition for the last deploy through which the lines of earlier findings could not be carried. */
export const lastBreakOf = (of: OfBranch): RawBuilder<unknown> => newest(of, sql`lineage <> 'LATE' and not is_carried`)

/** The condition for the rows of deploy_commit of those deploys of a branch that passed through the commit. */
export const passing = ({ companyId, assetId, branch }: OfBranch, commit: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`deploy_commit.company_id = ${companyId} and deploy_commit.asset_id = ${assetId} and deploy_commit.branch = ${branch}
  and ${isCommit(sql`deploy_commit.commit`, commit)}`

/**
 * Whether the place of `row`, an occurrence, is known where its branch stands. `breakId` and `breakAt` are the id and time of the last break
 * (lastBreakOf), or null. The place is known if it was reported or carried since the break, and the deploys since then lead to the commit at
 * which it is counted, or start from it. An exact place, reported at a commit of a deploy, needs no look-up.
 */
export const isKnownPlace = (row: RawBuilder<unknown>, breakId: RawBuilder<unknown>, breakAt: RawBuilder<unknown>) =>
  sql<boolean>`((${breakId} is null or ${row}.last_deploy_id >= ${breakId} or ${row}.last_seen_at >= ${breakAt}) is true
    and ${isCounted(row, breakId)})`

/** Whether the place of `row` is counted at a commit that some deploy of its branch, from the id `since` on, leads to or starts from. */
export const isCounted = (row: RawBuilder<unknown>, since: RawBuilder<unknown>) =>
  sql<boolean>`(${row}.is_exact or ${isOfDeploy(row, since, sql`current_commit`, sql`true`)}
    or ${isOfDeploy(row, since, sql`previous_commit`, sql`is_carried`)})`

/** Looks the commits up first (`offset 0` keeps that order): an asset has few deploys of one commit, whatever the planner estimates. */
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

/** The branch is given as a range of one name: with an equality, PostgreSQL may search all deploys of the company for the newest id. */
export const ofBranch = ({ companyId, assetId, branch }: OfBranch) =>
  sql`deploy.company_id = ${companyId} and deploy.asset_id = ${assetId} and deploy.branch between ${branch} and ${branch}`

const newest = (of: OfBranch, condition: RawBuilder<unknown>) =>
  sql`${ofBranch(of)} and ${condition}
  order by deploy.branch, deploy.id desc limit 1`
