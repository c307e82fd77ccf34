// The newest deploys of a branch, in the order of the index that has them.

import { type RawBuilder, sql } from 'kysely'

/**
 * What follows `where` for one deploy of an asset's branch, the newest that `condition` keeps. The branch is a span of one name,
 * because PostgreSQL may look for the newest id of an equal one among all deploys of the company.
 */
export const newestOfBranch = (
  { companyId, assetId, branch }: Record<'companyId' | 'assetId' | 'branch', string | RawBuilder<unknown>>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`deploy.company_id = ${companyId} and deploy.asset_id = ${assetId}
  and deploy.branch between ${branch} and ${branch} and ${condition}
  order by deploy.branch, deploy.id desc limit 1`
