// The SQL of the figures that an asset's open findings give. Reads only.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { OpenCounts } from './risk-score.ts'

/** An asset's open findings by severity, and whether one of them says that the environment is compromised. */
export type Figures = { assetId: Id; counts: OpenCounts; isCompromised: boolean }

/**
 * The figures of those of these assets that have open findings. The counts are kept as a tally, which does not tell whether a finding says
 * that the environment is compromised; the few that do have an index.
 */
export async function findFigures(db: Db, viewer: Viewer, assetIds: readonly Id[]): Promise<Figures[]> {
  const { rows } = await sql<Figures>`
    with compromised as (
      select distinct asset_id from issue
      where ${seenBy(viewer, 'company_id')} and asset_id = any(${assetIds}::bigint[]) and ${isOpenIssue} and compromised_environment
    )
    select asset_id as "assetId", jsonb_object_agg(severity, count) as counts, asset_id in (table compromised) as "isCompromised"
    from (
      select asset_id, severity, sum(count)::int as count
      from finding_tally as issue
      where ${seenBy(viewer, 'company_id')} and asset_id = any(${assetIds}::bigint[]) and ${isOpenIssue}
      group by asset_id, severity having sum(count) > 0
    ) as of_severity
    group by asset_id`.execute(db)
  return rows
}
