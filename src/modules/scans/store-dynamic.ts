// The SQL that records what a run of the platform's own scanner is to scan.

import { sql } from 'kysely'
import type { Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

export async function insertDynamicRun(
  trx: Trx,
  companyId: Id,
  scanId: Id,
  targetUrl: string,
  startedBy: Id | null,
): Promise<void> {
  await sql`insert into dynamic_scan (company_id, scan_id, target_url, started_by)
    values (${companyId}, ${scanId}, ${targetUrl}, ${startedBy})`.execute(trx)
}
