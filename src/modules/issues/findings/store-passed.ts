// The SQL of the commits that a branch passed through on the way to where it stands, without those of deploys that were rolled back.

import { sql } from 'kysely'
import { isCommit } from '../../../core/commits.ts'
import { ofBranch, passing } from '../../../core/db/branch-heads.ts'
import type { Db, Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'

/** How many earlier positions of the branch are examined. */
const MOST_STEPS = 1000

/**
 * The deploy of the branch that went through the commit, or null. If a deploy that arrived late went through it, the result is the deploy that
 * starts where that one ends. Walks back from where the branch stands, commit by commit: each was reached by the first deploy that ends at
 * it, unless a deploy started from it before that; whatever was deployed between the first and the last time was rolled back. Beyond
 * MOST_STEPS the deploys are taken as they were sent.
 */
export async function findPassed(
  db: Db | Trx,
  branch: { companyId: Id; assetId: Id; branch: string },
  { headId, headCommit, commit }: { headId: Id; headCommit: string; commit: string },
): Promise<Id | null> {
  const moves = sql`${ofBranch(branch)} and lineage <> 'LATE'`
  const { rows } = await sql<{ id: Id }>`
    with recursive passing as materialized (
      select deploy.id, current_commit as commit, case when lineage <> 'LATE' then deploy.id end as since
      from deploy_commit join deploy on deploy.company_id = deploy_commit.company_id and deploy.id = deploy_id
      where ${passing(branch, sql`${commit}::text`)}),
    point as (
      select ${headCommit}::text collate "C" as commit, ${headId}::bigint + 1 as before, 1 as step
      union all
      select next.*, step + 1 from point
      left join lateral (
        select id, true as leads, previous_commit from deploy
        where ${moves} and ${isCommit(sql`current_commit`, sql`point.commit`)} and id < before
        union all
        select id, false, null from deploy
        where ${moves} and ${isCommit(sql`previous_commit`, sql`point.commit`)} and id < before
        order by id limit 1) as first on true
      cross join lateral (
        select first.previous_commit, first.id where leads
        union all
        (select current_commit, coalesce(first.id, before) from deploy
        where leads is not true and ${moves} and id < coalesce(first.id, before) order by branch, id desc limit 1)) as next
      where before > (select min(coalesce(since, 0)) from passing) and step < ${MOST_STEPS})
    select here.id from point
    cross join lateral (
      select least(min(id), before) as id from passing
      where ${isCommit(sql`passing.commit`, sql`point.commit`)} or (step = ${MOST_STEPS} and since < before)
      having count(*) > 0) as here
    limit 1`.execute(db)
  return rows[0]?.id ?? null
}
