// The SQL of where the branches of an asset stand before a deploy is added; deploys of one asset are added one at a time.

import { type RawBuilder, sql } from 'kysely'
import { isCommit } from '../../core/commits.ts'
import { headOf, lastBreakOf, passing } from '../../core/db/branch-heads.ts'
import { planAnew } from '../../core/db/driver.ts'
import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Break, Source, Standing } from './lineage.ts'

/** A line of deploys that follow each other: an asset's branch, '' for the one without a name. */
export type Branch = { companyId: Id; assetId: Id; branch: string }

/**
 * Locks the asset, so that its deploys are added one at a time; false if it no longer exists. Also has later statements planned for their
 * actual values, because one asset may have thousands of deploys and findings and another none; checks of foreign keys keep generic plans.
 */
export async function lockAsset(trx: Trx, { companyId, assetId }: Omit<Branch, 'branch'>): Promise<boolean> {
  const { rows } = await sql`
    select from asset where company_id = ${companyId} and id = ${assetId} for no key update`.execute(trx)
  await planAnew(trx)
  return rows.length > 0
}

type StandingRow = {
  head: string | null
  isAtPrevious: boolean
  knowsPrevious: boolean
  leftCurrent: boolean
  breakId: Id | null
  breakAt: string | null
  source: string | null
  sourceAsOf: Id | null
  sourceBreakId: Id | null
  sourceBreakAt: string | null
}

/**
 * What the asset's deploys say about the two commits before the new one is added. Each fact is one index lookup, however many deploys there
 * are.
 */
export async function findStanding(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  { previousCommit, currentCommit }: { previousCommit: string; currentCommit: string },
): Promise<Standing> {
  const ofAsset = sql`deploy.company_id = ${companyId} and deploy.asset_id = ${assetId}`
  const lastBreak = (of: RawBuilder<unknown>) => sql`lateral (
    select id, created_at from deploy where ${lastBreakOf({ companyId, assetId, branch: of })})`
  const { rows } = await sql<StandingRow>`
    with
      to_previous as materialized (
        select id, branch, lineage from deploy where ${ofAsset} and ${isSame(sql`current_commit`, previousCommit)}),
      from_previous as materialized (
        select branch from deploy where ${ofAsset} and ${isSame(sql`previous_commit`, previousCommit)}),
      from_current as materialized (
        select branch from deploy where ${ofAsset} and ${isSame(sql`previous_commit`, currentCommit)})
    select head.current_commit as head, exists (select from to_previous where id = head.id) as "isAtPrevious",
      exists (select from to_previous where branch = asked.branch)
        or exists (select from from_previous where branch = asked.branch) as "knowsPrevious",
      exists (select from from_current where branch = asked.branch)
        or exists (select from deploy_commit where ${passing({ companyId, assetId, branch }, sql`${currentCommit}::text`)}) as "leftCurrent",
      break.id as "breakId", break.created_at as "breakAt",
      source.branch as source, source.as_of as "sourceAsOf", source_break.id as "sourceBreakId", source_break.created_at as "sourceBreakAt"
    from (values (${branch}::text)) as asked (branch)
    left join lateral (
      select id, current_commit from deploy where ${headOf({ companyId, assetId, branch })}) as head on true
    left join ${lastBreak(sql`asked.branch`)} as break on true
    left join lateral (
      select branch, case when has_left then id end as as_of
      from to_previous as earlier cross join lateral (
        select exists (select from deploy where ${ofAsset} and deploy.branch = earlier.branch and deploy.id > earlier.id
          and lineage <> 'LATE') as has_left) as since
      where branch <> asked.branch and lineage <> 'LATE'
      order by has_left, id desc limit 1) as source on true
    left join ${lastBreak(sql`source.branch`)} as source_break on true`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('A select of one asked branch gives one row')
  const { head, isAtPrevious, knowsPrevious, leftCurrent } = row
  return {
    head,
    isAtPrevious,
    knowsPrevious,
    leftCurrent,
    lastBreak: breakOf(row.breakId, row.breakAt),
    source: sourceOf(row),
  }
}

/** Null if the lines were lost on that branch between previousCommit and where it stands now. */
function sourceOf({ source, sourceAsOf, sourceBreakId, sourceBreakAt }: StandingRow): Source | null {
  const lastBreak = breakOf(sourceBreakId, sourceBreakAt)
  if (source === null) return null
  const isLost = sourceAsOf !== null && lastBreak !== null && BigInt(lastBreak.deployId) > BigInt(sourceAsOf)
  return isLost ? null : { branch: source, lastBreak, asOf: sourceAsOf }
}

const isSame = (column: RawBuilder<unknown>, commit: string): RawBuilder<boolean> =>
  isCommit(column, sql`${commit}::text`)

const breakOf = (deployId: Id | null, createdAt: string | null): Break | null =>
  deployId === null || createdAt === null ? null : { deployId, createdAt }
