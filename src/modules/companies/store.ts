// The SQL of companies.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { boundedCount, newestFirst, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type Company = {
  id: Id
  label: string
  sid: string | null
  brandUrl: string | null
  customFeatures: string[]
  createdAt: string
  updatedAt: string
}

const columns = [
  'id',
  'label',
  'sid',
  'brand_url as brandUrl',
  'custom_features as customFeatures',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export type CompanyOrder = { column: 'id' | 'label' | 'created_at'; direction: 'asc' | 'desc' }

export async function listCompanies(
  db: Db,
  viewer: Viewer,
  page: PageRequest,
  labelPart: string | null,
  order: CompanyOrder | null,
): Promise<Page<Company>> {
  let companies = db.selectFrom('company').select(columns).where(seenBy(viewer, 'company.id'))
  if (labelPart !== null)
    companies = companies.where(sql<boolean>`strpos(lower(label), ${labelPart.toLowerCase()}) > 0`)
  if (order === null) return newestFirst(db, companies, page, 'company.id')
  const rows = await companies
    .orderBy(order.column, order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return pageOf(page, rows, await boundedCount(db, companies, rows.length, page), (company) => [company.id])
}

export async function findCompanies(db: Db, ids: readonly Id[]): Promise<Company[]> {
  return db.selectFrom('company').select(columns).where('id', 'in', ids).execute()
}

export async function hasCompany(db: Db): Promise<boolean> {
  return (await db.selectFrom('company').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function insertCompany(
  trx: Trx,
  company: { label: string; sid: string | null; brandUrl: string | null },
): Promise<Company> {
  return trx
    .insertInto('company')
    .values({ label: company.label, sid: company.sid, brand_url: company.brandUrl })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Locks the company for a change. What refers to it can still be written. */
export async function lockCompany(trx: Trx, id: Id): Promise<Company | null> {
  const found = trx.selectFrom('company').select(columns).where('id', '=', id).forNoKeyUpdate()
  return (await found.executeTakeFirst()) ?? null
}

/** Locks the company, so that concurrent changes of things of which it has only one run one after another. */
export async function holdCompany(trx: Trx, id: Id): Promise<void> {
  await sql`select from company where id = ${id} for no key update`.execute(trx)
}

export async function updateCompany(
  trx: Trx,
  id: Id,
  change: { label?: string; sid?: string | null; brandUrl?: string | null },
): Promise<Company> {
  return trx
    .updateTable('company')
    .set({ label: change.label, sid: change.sid, brand_url: change.brandUrl, updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/**
 * Deletes the company with everything in it, in the order in which others lock it: reports and deploys hold an asset first, and need the
 * company for the rows that they write.
 */
export async function deleteCompany(trx: Trx, id: Id): Promise<void> {
  await sql`select from asset where company_id = ${id} order by id for update`.execute(trx)
  await trx.deleteFrom('asset').where('company_id', '=', id).execute()
  await trx.deleteFrom('company').where('id', '=', id).execute()
}

/** The companies among `ids` that have an asset. */
export async function findConfigured(db: Db, ids: readonly Id[]): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select id from company where id = any(${ids}::bigint[])
    and exists (select 1 from asset where asset.company_id = company.id)`.execute(db)
  return rows.map(({ id }) => id)
}
