// The SQL of the figures that open findings give for assets; it writes nothing.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { OpenCounts } from './risk-score.ts'

/** Of an asset: its open findings by severity, and whether one says that the environment is compromised. */
export type Figures = { assetId: Id; counts: OpenCounts; isCompromised: boolean }

/**
 * The figures of these assets that have an open finding. They are counted by an index alone, which does not say whether a finding
 * says that the environment is compromised: few do, and have an index of their own.
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
