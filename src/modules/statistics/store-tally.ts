// The SQL that keeps the tally of findings short; it grows by a few rows with every change.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'

/**
 * Adds up the rows of the same kind of up to `most` assets of all companies, and returns how many assets had such rows. One statement: who
 * reads meanwhile sees the rows or their sum. Two at once each add up what they themselves removed.
 */
export async function addUpTallies(db: Db, most: number): Promise<number> {
  const { rows } = await sql<{ assets: number }>`
    with crowded as materialized (
      select company_id, asset_id from finding_tally group by company_id, asset_id
      having count(*) > count(distinct (type, severity, status, is_known_exploited, sla_state, tool_name)) limit ${most}),
    removed as (
      delete from finding_tally as tally using crowded
      where tally.company_id = crowded.company_id and tally.asset_id = crowded.asset_id returning tally.*),
    summed as (
      insert into finding_tally (company_id, asset_id, type, severity, status, is_known_exploited, sla_state, tool_name, count)
      select company_id, asset_id, type, severity, status, is_known_exploited, sla_state, tool_name, sum(count)
      from removed group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(count) <> 0)
    select count(*)::int as assets from crowded`.execute(db)
  return rows[0]?.assets ?? 0
}
