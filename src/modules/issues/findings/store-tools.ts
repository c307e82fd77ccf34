// The SQL that checks whether all findings of an asset are from one tool.

import { sql } from 'kysely'
import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'

/** Whether the asset's findings, together with those of these tools (in lower case), are from at most one tool. Reads all of the asset's findings. */
export async function hasOneTool(
  trx: Trx,
  { companyId, assetId }: { companyId: Id; assetId: Id },
  tools: readonly string[],
): Promise<boolean> {
  const named = tools.filter((tool) => tool !== '')
  if (named.length > 1) return false
  const { rows } = await sql<{ hasOther: boolean }>`
    select exists (
      select from finding where company_id = ${companyId} and asset_id = ${assetId}
        and lower(tool_name) not in ('', ${named[0] ?? ''}) order by type offset 0) as "hasOther"`.execute(trx)
  return rows[0]?.hasOther === false
}
