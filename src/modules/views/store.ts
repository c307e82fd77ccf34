// The SQL of saved views.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type View = { id: Id; companyId: Id; name: string; filters: string; createdAt: string }

const columns = ['id', 'company_id as companyId', 'name', 'filters', 'created_at as createdAt'] as const

export async function listViews(db: Db, companyId: Id, userId: Id): Promise<View[]> {
  const views = db.selectFrom('saved_view').select(columns).where('company_id', '=', companyId)
  return views.where('user_id', '=', userId).orderBy(sql`lower(name)`).execute()
}

/** A view of the viewer. */
export async function findView(db: Db, viewer: Viewer, id: Id): Promise<View | null> {
  const view = db.selectFrom('saved_view').select(columns).where('id', '=', id)
  const own = view.where('user_id', '=', viewer.userId).where(seenBy(viewer, 'company_id'))
  return (await own.executeTakeFirst()) ?? null
}

export async function countViews(trx: Trx, companyId: Id, userId: Id): Promise<number> {
  const views = trx.selectFrom('saved_view').select(sql<number>`count(*)::int`.as('count'))
  const { count } = await views
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function upsertView(
  trx: Trx,
  companyId: Id,
  userId: Id,
  { name, filters }: { name: string; filters: string },
): Promise<View> {
  return trx
    .insertInto('saved_view')
    .values({ company_id: companyId, user_id: userId, name, filters })
    .onConflict((same) => same.expression(sql`company_id, user_id, lower(name)`).doUpdateSet({ name, filters }))
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteView(trx: Trx, companyId: Id, id: Id): Promise<void> {
  await trx.deleteFrom('saved_view').where('company_id', '=', companyId).where('id', '=', id).execute()
}
