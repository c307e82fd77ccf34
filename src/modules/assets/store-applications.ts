// The SQL of applications.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type ApplicationFields = { name: string; description: string | null; url: string | null }

export type Application = ApplicationFields & { id: Id; companyId: Id; createdAt: string; updatedAt: string }

const columns = [
  'id',
  'company_id as companyId',
  'name',
  'description',
  'url',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** The first `most` applications of the company, ordered by name, whose name contains `namePart`, ignoring case. */
export async function listApplications(
  db: Db,
  companyId: Id,
  namePart: string | null,
  most: number,
): Promise<Application[]> {
  let applications = db.selectFrom('application').select(columns).where('company_id', '=', companyId)
  if (namePart) applications = applications.where(sql<boolean>`strpos(lower(name), ${namePart.toLowerCase()}) > 0`)
  return applications.orderBy('name').limit(most).execute()
}

export async function findApplication(db: Db, companyId: Id, id: Id): Promise<Application | null> {
  const found = await db
    .selectFrom('application')
    .select(columns)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found ?? null
}

export async function lockApplication(trx: Trx, companyId: Id, id: Id): Promise<Application | null> {
  const found = await trx
    .selectFrom('application')
    .select(columns)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return found ?? null
}

export async function insertApplication(trx: Trx, companyId: Id, fields: ApplicationFields): Promise<Application> {
  return trx
    .insertInto('application')
    .values({ company_id: companyId, ...fields })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function updateApplication(trx: Trx, companyId: Id, id: Id, fields: ApplicationFields) {
  return trx
    .updateTable('application')
    .set({ ...fields, updated_at: sql`now()` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteApplication(trx: Trx, companyId: Id, id: Id): Promise<void> {
  await trx.deleteFrom('application').where('company_id', '=', companyId).where('id', '=', id).execute()
}

export async function insertApplicationAssets(trx: Trx, companyId: Id, id: Id, assetIds: readonly Id[]): Promise<void> {
  await sql`insert into application_asset (company_id, application_id, asset_id)
    select company_id, ${id}, id from asset where company_id = ${companyId} and id = any(${assetIds}::bigint[])
    on conflict do nothing`.execute(trx)
}

export async function deleteApplicationAssets(trx: Trx, companyId: Id, id: Id, assetIds: readonly Id[]): Promise<void> {
  await sql`delete from application_asset
    where company_id = ${companyId} and application_id = ${id} and asset_id = any(${assetIds}::bigint[])`.execute(trx)
}

/** Replaces the application's assets by these. */
export async function replaceApplicationAssets(
  trx: Trx,
  companyId: Id,
  id: Id,
  assetIds: readonly Id[],
): Promise<void> {
  await sql`delete from application_asset
    where company_id = ${companyId} and application_id = ${id} and not asset_id = any(${assetIds}::bigint[])`.execute(
    trx,
  )
  await insertApplicationAssets(trx, companyId, id, assetIds)
}

/** The assets of these applications, ordered by name. */
export async function findApplicationAssets(db: Db, viewer: Viewer, ids: readonly Id[]) {
  const { rows } = await sql<{ applicationId: Id; assetIds: Id[] }>`
    select application_id as "applicationId", array_agg(asset_id order by asset_id) as "assetIds"
    from application_asset where ${seenBy(viewer, 'company_id')} and application_id = any(${ids}::bigint[])
    group by application_id`.execute(db)
  return rows
}
