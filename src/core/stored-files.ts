// Looks up a company's stored file, whatever record it belongs to.

import { sql } from 'kysely'
import type { Db } from './db/open.ts'
import type { StoredFile } from './download.ts'
import type { Id } from './ids.ts'

export async function findStoredFile(db: Db, companyId: Id, id: Id): Promise<StoredFile | null> {
  const { rows } = await sql<StoredFile>`
    select object_key as "objectKey", filename, content_type as "contentType", size::float8 as size,
      encode(sha256, 'hex') as sha256
    from stored_object where company_id = ${companyId} and id = ${id}`.execute(db)
  return rows[0] ?? null
}
