// The SQL of audit records: those of a company or of none, and a search in them.

import { sql } from 'kysely'
import { NO_COMPANY } from '../../core/audit.ts'
import type { Db } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'

export type AuditRecord = {
  id: Id
  at: string
  userId: Id | null
  keyPublicId: string | null
  address: string | null
  requestId: string | null
  operation: string
  object: string
  before: unknown
  after: unknown
}

/** Whether there is no such company any more, and records of it. */
export async function hasLeftRecords(db: Db, companyId: Id): Promise<boolean> {
  const { rows } = await sql`
    select from audit_record where company_id = ${companyId} and not exists (select from company where id = ${companyId})
    limit 1`.execute(db)
  return rows.length > 0
}

/** A key is searched for as it is shown, mrl_ before its public part. `part` is in lower case. */
const saysOf = (part: string) => sql<boolean>`(
  strpos(lower(operation), ${part}) > 0 or strpos(lower(object), ${part}) > 0 or strpos(lower(address), ${part}) > 0
  or strpos(lower(request_id), ${part}) > 0 or strpos(lower('mrl_' || key_public_id), ${part}) > 0
  or user_id in (
    select id from portal_user where strpos(lower(name), ${part}) > 0 or strpos(lower(email), ${part}) > 0))`

export async function listAuditRecords(
  db: Db,
  companyId: Id | null,
  search: string | null,
  page: PageRequest,
): Promise<Page<AuditRecord>> {
  const records = db
    .selectFrom('audit_record')
    .select([
      'id',
      'at',
      'user_id as userId',
      'key_public_id as keyPublicId',
      'address',
      'request_id as requestId',
      'operation',
      'object',
      'before',
      'after',
    ])
    .where('company_id', '=', companyId ?? NO_COMPANY)
  return newestFirst(db, search === null ? records : records.where(saysOf(search.toLowerCase())), page, 'id')
}
