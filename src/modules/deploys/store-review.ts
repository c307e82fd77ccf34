// The SQL that enqueues the review of a new deploy's diff.

import { sql } from 'kysely'
import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Branch } from './store-standing.ts'

/** Writes the review and its job (of the worker's `task`) in one statement, unless reviews are turned off for the asset or its company. */
export async function insertReview(
  trx: Trx,
  { companyId, assetId }: Branch,
  deployId: Id,
  task: string,
): Promise<void> {
  await sql`
    with asked as (
      insert into deploy_review (company_id, deploy_id)
      select ${companyId}, ${deployId}
      where coalesce((
        select is_on from deploy_review_setting
        where company_id = ${companyId} and asset_id in (${assetId}::bigint, 0)
        order by asset_id desc limit 1), true)
      returning company_id, deploy_id)
    select graphile_worker.add_job(${task},
      json_build_object('companyId', company_id::text, 'id', deploy_id::text),
      queue_name => ${`review ${companyId}/${assetId}`}) from asked`.execute(trx)
}
