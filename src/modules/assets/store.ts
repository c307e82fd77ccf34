// The SQL of assets.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenBy } from '../access/service.ts'
import type { Viewer } from '../context.ts'

export type Asset = {
  id: Id
  companyId: Id
  name: string
  description: string | null
  url: string | null
  repoUrl: string | null
  assetType: string | null
  audience: string | null
  architectureType: string | null
  criticity: string | null
  businessImpact: string
  dataClassification: string[]
  developmentModel: string | null
  developmentTeam: string | null
  environmentList: string[]
  lifeCycle: string | null
  scanType: string | null
  technologies: string[]
  assetsTagList: string[]
  teamIds: string[]
  exploitability: string
  threat: string
  isSaidCompromised: boolean
  createdAt: string
  updatedAt: string
}

const columns = [
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
  'exploitability',
  'threat',
  'environment_compromised as isSaidCompromised',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** What may be written of an asset: undefined leaves a value, null clears it (to its default where it has one). */
export type AssetChange = {
  [K in Exclude<keyof Asset, 'id' | 'companyId' | 'createdAt' | 'updatedAt'>]?: Asset[K] | null
}

/** The column's values of a change; a column that must have a value falls back to its default. */
const valuesOf = (change: AssetChange) => ({
  description: change.description,
  url: change.url,
  repo_url: change.repoUrl,
  asset_type: change.assetType,
  audience: change.audience,
  architecture_type: change.architectureType,
  criticity: change.criticity,
  business_impact: orDefault(change.businessImpact, 'NOT_DEFINED'),
  data_classification: orDefault(change.dataClassification, []),
  development_model: change.developmentModel,
  development_team: change.developmentTeam,
  environment_list: orDefault(change.environmentList, []),
  life_cycle: change.lifeCycle,
  scan_type: change.scanType,
  technology_list: orDefault(change.technologies, []),
  tags: orDefault(change.assetsTagList, []),
  team_ids: orDefault(change.teamIds, []),
  exploitability: orDefault(change.exploitability, 'NOT_DEFINED'),
  threat: orDefault(change.threat, 'NONE'),
  environment_compromised: orDefault(change.isSaidCompromised, false),
})

const orDefault = <T>(value: T | null | undefined, fallback: T): T | undefined => (value === null ? fallback : value)

export type AssetSearch = {
  name?: string | null
  tags?: readonly string[] | null
  assetType?: string | null
  audience?: string | null
  businessImpact?: string | null
  exploitability?: string | null
  lifeCycle?: string | null
  scanType?: string | null
  threat?: string | null
  dataClassification?: readonly string[] | null
  applicationId?: Id | null
  projectId?: Id | null
}

const plainFilters = {
  assetType: 'asset_type',
  audience: 'audience',
  businessImpact: 'business_impact',
  exploitability: 'exploitability',
  lifeCycle: 'life_cycle',
  scanType: 'scan_type',
  threat: 'threat',
} as const

export async function listAssets(db: Db, companyId: Id, page: PageRequest, search: AssetSearch): Promise<Page<Asset>> {
  let assets = db.selectFrom('asset').select(columns).where('company_id', '=', companyId)
  if (search.name) assets = assets.where(sql<boolean>`strpos(lower(name), ${search.name.toLowerCase()}) > 0`)
  if (search.tags?.length) assets = assets.where(sql<boolean>`tags @> ${search.tags}::text[]`)
  if (search.dataClassification?.length) {
    assets = assets.where(sql<boolean>`data_classification && ${search.dataClassification}::text[]`)
  }
  for (const field of [
    'assetType',
    'audience',
    'businessImpact',
    'exploitability',
    'lifeCycle',
    'scanType',
    'threat',
  ] as const) {
    const wanted = search[field]
    if (wanted) assets = assets.where(plainFilters[field], '=', wanted)
  }
  if (search.applicationId) {
    assets = assets.where(sql<boolean>`id in (
      select asset_id from application_asset where company_id = ${companyId} and application_id = ${search.applicationId})`)
  }
  if (search.projectId) {
    assets = assets.where(sql<boolean>`id in (
      select asset_id from project_asset where company_id = ${companyId} and project_id = ${search.projectId})`)
  }
  return newestFirst(db, assets, page, 'asset.id')
}

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

export async function insertAsset(trx: Trx, companyId: Id, name: string, change: AssetChange): Promise<Asset> {
  return trx
    .insertInto('asset')
    .values({ company_id: companyId, name, ...valuesOf(change) })
    .returning(columns)
    .executeTakeFirstOrThrow()
}
