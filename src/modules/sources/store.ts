// The SQL of links between assets and projects of outside tools.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type Association = {
  companyId: Id
  id: Id
  assetId: Id
  integrationId: Id
  externalProjectId: string
  name: string
  isSource: boolean
  lookedAt: string | null
  failure: string | null
  /** the author of its deploys; null after that person was deleted */
  createdById: Id | null
  createdAt: string
}

const columns = [
  'external_project.company_id as companyId',
  'external_project.id',
  'external_project.asset_id as assetId',
  'external_project.integration_id as integrationId',
  'external_project.external_id as externalProjectId',
  'external_project.name',
  'external_project.is_source as isSource',
  'external_project.looked_at as lookedAt',
  'external_project.failure',
  'external_project.created_by as createdById',
  'external_project.created_at as createdAt',
] as const

export async function listAssociations(
  db: Db,
  companyId: Id,
  of: { assetId: Id | null; integrationId: Id | null },
  page: PageRequest,
): Promise<Page<Association>> {
  let own = db.selectFrom('external_project').select(columns).where('external_project.company_id', '=', companyId)
  if (of.assetId !== null) own = own.where('external_project.asset_id', '=', of.assetId)
  if (of.integrationId !== null) own = own.where('external_project.integration_id', '=', of.integrationId)
  return newestFirst(db, own, page, 'external_project.id')
}

export async function findSeen(db: Db, viewer: Viewer, id: Id): Promise<Association | null> {
  const seen = db.selectFrom('external_project').select(columns).where(seenBy(viewer, 'external_project.company_id'))
  return (await seen.where('external_project.id', '=', id).executeTakeFirst()) ?? null
}

export async function findAssociation(db: Db, companyId: Id, id: Id): Promise<Association | null> {
  const own = db.selectFrom('external_project').select(columns).where('external_project.company_id', '=', companyId)
  return (await own.where('external_project.id', '=', id).executeTakeFirst()) ?? null
}

/** The repository that the asset's deploys come from. */
export async function findSource(db: Db, companyId: Id, assetId: Id): Promise<Association | null> {
  const own = db
    .selectFrom('external_project')
    .select(columns)
    .where('external_project.company_id', '=', companyId)
    .where('external_project.asset_id', '=', assetId)
    .where('external_project.is_source', '=', true)
  return (await own.executeTakeFirst()) ?? null
}

type Place = Pick<Association, 'companyId' | 'assetId' | 'integrationId' | 'externalProjectId'>

export async function findAt(db: Db, place: Place): Promise<Association | null> {
  const own = db
    .selectFrom('external_project')
    .select(columns)
    .where('external_project.company_id', '=', place.companyId)
    .where('external_project.integration_id', '=', place.integrationId)
    .where('external_project.external_id', '=', place.externalProjectId)
    .where('external_project.asset_id', '=', place.assetId)
  return (await own.executeTakeFirst()) ?? null
}

/** Null if the link exists already. */
export async function insertAssociation(
  trx: Trx,
  row: Place & { name: string; isSource: boolean; createdById: Id },
): Promise<Association | null> {
  const made = await trx
    .insertInto('external_project')
    .values({
      company_id: row.companyId,
      asset_id: row.assetId,
      integration_id: row.integrationId,
      external_id: row.externalProjectId,
      name: row.name,
      is_source: row.isSource,
      created_by: row.createdById,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'integration_id', 'external_id', 'asset_id']).doNothing())
    .returning(columns)
    .executeTakeFirst()
  return made ?? null
}

export async function deleteAssociation(trx: Trx, { companyId, id }: Pick<Association, 'companyId' | 'id'>) {
  await trx.deleteFrom('external_project').where('company_id', '=', companyId).where('id', '=', id).execute()
}

/** Stores the outcome of the last attempt: a sentence, or null for success. */
export async function noteOutcome(
  db: Db,
  { companyId, id }: Pick<Association, 'companyId' | 'id'>,
  failure: string | null,
): Promise<void> {
  await sql`
    update external_project set failure = ${failure}
    where company_id = ${companyId} and id = ${id} and failure is distinct from ${failure}`.execute(db)
}

export async function noteLook(db: Db, { companyId, id }: Pick<Association, 'companyId' | 'id'>): Promise<void> {
  await sql`update external_project set looked_at = now() where company_id = ${companyId} and id = ${id}`.execute(db)
}

/**
 * The repositories that are due for a poll: those without a webhook after `unhooked` minutes, the others after `hooked`.
 */
export async function findDue(
  db: Db,
  { unhooked, hooked, most }: { unhooked: number; hooked: number; most: number },
): Promise<Pick<Association, 'companyId' | 'id'>[]> {
  const { rows } = await sql<Pick<Association, 'companyId' | 'id'>>`
    select project.company_id as "companyId", project.id
    from external_project as project
    join integration on integration.company_id = project.company_id and integration.id = project.integration_id
      and integration.sealed is not null and integration.broken_since is null
      and (integration.settings ->> 'astScansEnabled')::boolean
    left join inbound_hook as hook on hook.company_id = project.company_id and hook.external_project_id = project.id
    where project.is_source and (project.looked_at is null or project.looked_at < now() - make_interval(
      mins => case when hook.vendor_id is null and hook.last_delivery_at is null then ${unhooked}::int else ${hooked}::int end))
    order by project.looked_at nulls first limit ${most}`.execute(db)
  return rows
}

/** Whether this was reported before; if not, records that it is. */
export async function noteTold(trx: Trx, companyId: Id, deployId: Id, digest: Buffer): Promise<void> {
  await sql`
    insert into deploy_report (company_id, deploy_id, digest) values (${companyId}, ${deployId}, ${digest})
    on conflict (company_id, deploy_id) do update set digest = excluded.digest, told_at = now()`.execute(trx)
}

export async function wasTold(db: Db, companyId: Id, deployId: Id, digest: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select 1 from deploy_report
    where company_id = ${companyId} and deploy_id = ${deployId} and digest = ${digest}`.execute(db)
  return rows.length > 0
}
