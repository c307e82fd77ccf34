// The SQL of assets; their list is in store-list.ts, figures from their findings in store-figures.ts.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { AssetFields } from './change.ts'

export type Asset = AssetFields & { id: Id; companyId: Id; createdAt: string; updatedAt: string }

export const columns = [
  'asset.id',
  'company_id as companyId',
  'name',
  'description',
  'url',
  'repo_url as repoUrl',
  'asset_type as assetType',
  'audience',
  'architecture_type as architectureType',
  'criticity',
  'business_impact as businessImpact',
  'data_classification as dataClassification',
  'development_model as developmentModel',
  'development_team as developmentTeam',
  'environment_list as environmentList',
  'life_cycle as lifeCycle',
  'scan_type as scanType',
  'technology_list as technologies',
  'tags as assetsTagList',
  'team_ids as teamIds',
  'integration_ids as integrationIds',
  'exploitability',
  'threat',
  'environment_compromised as isSaidCompromised',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const valuesOf = (fields: AssetFields) => ({
  name: fields.name,
  description: fields.description,
  url: fields.url,
  repo_url: fields.repoUrl,
  asset_type: fields.assetType,
  audience: fields.audience,
  architecture_type: fields.architectureType,
  criticity: fields.criticity,
  business_impact: fields.businessImpact,
  data_classification: fields.dataClassification,
  development_model: fields.developmentModel,
  development_team: fields.developmentTeam,
  environment_list: fields.environmentList,
  life_cycle: fields.lifeCycle,
  scan_type: fields.scanType,
  technology_list: fields.technologies,
  tags: fields.assetsTagList,
  team_ids: fields.teamIds,
  integration_ids: fields.integrationIds,
  exploitability: fields.exploitability,
  threat: fields.threat,
  environment_compromised: fields.isSaidCompromised,
})

/** The assets with these ids that the viewer sees. */
export async function findAssets(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Asset[]> {
  return db
    .selectFrom('asset')
    .select(columns)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where(seenBy(viewer, 'company_id'))
    .execute()
}

/** The assets of the company among these ids. */
export async function findCompanyAssets(db: Db, companyId: Id, ids: readonly Id[]): Promise<Asset[]> {
  return db
    .selectFrom('asset')
    .select(columns)
    .where('company_id', '=', companyId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute()
}

export async function insertAsset(trx: Trx, companyId: Id, fields: AssetFields): Promise<Asset> {
  return trx
    .insertInto('asset')
    .values({ company_id: companyId, ...valuesOf(fields) })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function lockAsset(trx: Trx, companyId: Id, id: Id): Promise<Asset | null> {
  const found = await trx
    .selectFrom('asset')
    .select(columns)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return found ?? null
}

export async function updateAsset(trx: Trx, companyId: Id, id: Id, fields: AssetFields): Promise<Asset> {
  return trx
    .updateTable('asset')
    .set({ ...valuesOf(fields), updated_at: sql`now()` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteAsset(trx: Trx, companyId: Id, id: Id): Promise<void> {
  await trx.deleteFrom('asset').where('company_id', '=', companyId).where('id', '=', id).execute()
}

/** Makes the asset part of exactly these projects of its company; returns those that are the company's. */
export async function replaceAssetProjects(
  trx: Trx,
  companyId: Id,
  assetId: Id,
  projectIds: readonly Id[],
): Promise<Id[]> {
  await sql`delete from project_asset where company_id = ${companyId} and asset_id = ${assetId}
    and not project_id = any(${projectIds}::bigint[])`.execute(trx)
  await sql`insert into project_asset (company_id, project_id, asset_id)
    select company_id, id, ${assetId} from project where company_id = ${companyId} and id = any(${projectIds}::bigint[])
    on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ id: Id }>`
    select project_id as id from project_asset where company_id = ${companyId} and asset_id = ${assetId}`.execute(trx)
  return rows.map(({ id }) => id)
}
