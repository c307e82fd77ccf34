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
 * The figures of those of these assets that have open findings. The counts come from an index-only scan; that index does not contain whether
 * a finding says that the environment is compromised, so the few that do have an index of their own.
 */
export async function findFigures(db: Db, viewer: Viewer, assetIds: readonly Id[]): Promise<Figures[]> {
  const { rows } = await sql<Figures>`
    with compromised as (
      select distinct asset_id from issue
      where ${seenBy(viewer, 'company_id')} and asset_id = any(${assetIds}::bigint[]) and ${isOpenIssue} and compromised_environment
    )
    select asset_id as "assetId", jsonb_object_agg(severity, count) as counts, asset_id in (table compromised) as "isCompromised"
    from (
      select asset_id, severity, count(*)::int as count
      from issue where ${seenBy(viewer, 'company_id')} and asset_id = any(${assetIds}::bigint[]) and ${isOpenIssue}
      group by asset_id, severity
    ) as of_severity
    group by asset_id`.execute(db)
  return rows
}
