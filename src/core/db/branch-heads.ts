// Where a branch of an asset stands by its deploys, which one index has in order. One that came late moves it nowhere.

import { type RawBuilder, sql } from 'kysely'

type OfBranch = Record<'companyId' | 'assetId' | 'branch', string | RawBuilder<unknown>>

/** What follows `where` for the deploy at which the branch stands. */
export const headOf = (of: OfBranch): RawBuilder<unknown> => newest(of, sql`lineage <> 'LATE'`)

/** What follows `where` for the last one at which the lines of findings seen before were lost. */
export const lastBreakOf = (of: OfBranch): RawBuilder<unknown> => newest(of, sql`lineage <> 'LATE' and not is_carried`)

/** The branch is a span of one name, because PostgreSQL may look for the newest id of an equal one among all deploys of the company. */
const newest = ({ companyId, assetId, branch }: OfBranch, condition: RawBuilder<unknown>) =>
  sql`deploy.company_id = ${companyId} and deploy.asset_id = ${assetId}
  and deploy.branch between ${branch} and ${branch} and ${condition}
  order by deploy.branch, deploy.id desc limit 1`
