// The SQL of webhooks that must still be removed from their hosts after the records they were created for were deleted.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'

type Key = { companyId: Id; id: Id }

export type DepartedHook = Key & {
  integrationId: Id
  /** null: the integration still exists */
  departedId: Id | null
  /** the vendor's ids, as used when the hook was created */
  projectId: string | null
  vendorId: string
  /** hours since the record was deleted */
  age: number
}

export async function findDepartedHook(db: Db, { companyId, id }: Key): Promise<DepartedHook | null> {
  const { rows } = await sql<DepartedHook>`
    select company_id as "companyId", id, integration_id as "integrationId", departed_id as "departedId",
      project_id as "projectId", vendor_id as "vendorId",
      (extract(epoch from now() - departed_at) / 3600)::float8 as age
    from departed_hook where company_id = ${companyId} and id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function deleteDepartedHook(trx: Trx, { companyId, id }: Key): Promise<void> {
  await sql`delete from departed_hook where company_id = ${companyId} and id = ${id}`.execute(trx)
}

/** The hooks for which no job is waiting. */
export async function findForgotten(db: Db, most: number): Promise<(Key & { integrationId: Id })[]> {
  const { rows } = await sql<Key & { integrationId: Id }>`
    select company_id as "companyId", id, integration_id as "integrationId" from departed_hook
    where not exists (
      select from graphile_worker.jobs where key = 'take-hook-away ' || departed_hook.company_id || '/' || departed_hook.id)
    order by departed_at limit ${most}`.execute(db)
  return rows
}
