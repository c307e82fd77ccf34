// The SQL that tells whether an asset's findings are all of one tool.

import { sql } from 'kysely'
import type { Trx } from '../../../core/db/open.ts'
import type { Id } from '../../../core/ids.ts'

/** Whether the asset's findings, with those of these tools (in small letters), are of one tool at most. Reads all of the asset's. */
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
        and lower(tool_name) not in ('', ${named[0] ?? ''})) as "hasOther"`.execute(trx)
  return rows[0]?.hasOther === false
}
