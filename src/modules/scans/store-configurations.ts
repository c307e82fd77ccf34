// The SQL of scanner configurations, and of the errors that clients report.

import { sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import type { ApiFormat, ScanProfile } from '../api.generated.ts'
import type { Bounds } from './bounds.ts'

export type ScannerConfiguration = {
  companyId: Id
  id: Id
  assetId: Id
  targetUrl: string | null
  apiFormat: ApiFormat | null
  /** the name of the file that describes the API */
  apiSchemaSourceFile: string | null
  apiSchemaObjectId: Id | null
  apiSchemaUrl: string | null
  scanProfile: ScanProfile
  secretIds: Id[]
  /** the secrets of the second user as whom the scanner signs in */
  secondSecretIds: Id[]
  createdAt: string
  updatedAt: string
} & Bounds

const columns = sql`
  c.company_id as "companyId", c.id, c.asset_id as "assetId", c.target_url as "targetUrl",
  c.api_format as "apiFormat", o.filename as "apiSchemaSourceFile", c.api_schema_object_id as "apiSchemaObjectId",
  c.scan_profile as "scanProfile", c.created_at as "createdAt", c.updated_at as "updatedAt",
  c.api_schema_url as "apiSchemaUrl", c.include_paths as "includePaths", c.exclude_paths as "excludePaths",
  c.requests_per_second as "requestsPerSecond", c.most_requests as "maxRequests", c.most_minutes as "maxMinutes",
  c.schedule, c.allow_destructive as "allowDestructive",
  array(select secret_id from scanner_configuration_secret s
        where s.company_id = c.company_id and s.configuration_id = c.id and not s.is_second order by secret_id) as "secretIds",
  array(select secret_id from scanner_configuration_secret s
        where s.company_id = c.company_id and s.configuration_id = c.id and s.is_second order by secret_id)
    as "secondSecretIds"`

const configurations = sql`scanner_configuration c
  left join stored_object o on o.company_id = c.company_id and o.id = c.api_schema_object_id`

export async function findConfiguration(db: Db, companyId: Id, assetId: Id): Promise<ScannerConfiguration | null> {
  const { rows } = await sql<ScannerConfiguration>`
    select ${columns} from ${configurations}
    where c.company_id = ${companyId} and c.asset_id = ${assetId}`.execute(db)
  return rows[0] ?? null
}

/** A configuration with the key of the stored file that describes the API. */
export type RunConfiguration = ScannerConfiguration & { apiSchemaKey: string | null }

/** The current configuration of the run's asset, or null. */
export async function findRunConfiguration(db: Db, companyId: Id, scanId: Id): Promise<RunConfiguration | null> {
  const { rows } = await sql<RunConfiguration>`
    select ${columns}, o.object_key as "apiSchemaKey" from ${configurations}
    join scan on scan.company_id = c.company_id and scan.asset_id = c.asset_id
    where scan.company_id = ${companyId} and scan.id = ${scanId}`.execute(db)
  return rows[0] ?? null
}

/** As findConfiguration, and locks it until the transaction ends, so that an asset's runs start one after another. */
export async function lockConfiguration(trx: Trx, companyId: Id, assetId: Id): Promise<ScannerConfiguration | null> {
  await sql`select from scanner_configuration where company_id = ${companyId} and asset_id = ${assetId} for update`.execute(
    trx,
  )
  return findConfiguration(trx, companyId, assetId)
}

/** Creates the asset's configuration with default values if there is none. */
export async function insertConfiguration(trx: Trx, companyId: Id, assetId: Id): Promise<void> {
  await sql`insert into scanner_configuration (company_id, asset_id) values (${companyId}, ${assetId})
    on conflict do nothing`.execute(trx)
}

type ConfigurationFields = Pick<
  ScannerConfiguration,
  'targetUrl' | 'apiFormat' | 'apiSchemaObjectId' | 'apiSchemaUrl' | 'scanProfile' | keyof Bounds
> & { scheduledBy: Id }

export async function updateConfiguration(
  trx: Trx,
  { companyId, id }: ScannerConfiguration,
  fields: ConfigurationFields,
): Promise<void> {
  await trx
    .updateTable('scanner_configuration')
    .set({
      target_url: fields.targetUrl,
      api_format: fields.apiFormat,
      api_schema_object_id: fields.apiSchemaObjectId,
      api_schema_url: fields.apiSchemaUrl,
      scan_profile: fields.scanProfile,
      include_paths: fields.includePaths,
      exclude_paths: fields.excludePaths,
      requests_per_second: fields.requestsPerSecond,
      most_requests: fields.maxRequests,
      most_minutes: fields.maxMinutes,
      schedule: fields.schedule,
      allow_destructive: fields.allowDestructive,
      scheduled_by: fields.scheduledBy,
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
}

/** Replaces the secrets of the configuration's first or second user with these; returns those that the company has. */
export async function replaceSecrets(
  trx: Trx,
  { companyId, id }: ScannerConfiguration,
  secretIds: readonly Id[],
  isSecond: boolean,
): Promise<Id[]> {
  await sql`delete from scanner_configuration_secret
    where company_id = ${companyId} and configuration_id = ${id} and is_second = ${isSecond}`.execute(trx)
  const { rows } = await sql<{ id: Id }>`
    insert into scanner_configuration_secret (company_id, configuration_id, secret_id, is_second)
    select company_id, ${id}, id, ${isSecond} from secret where company_id = ${companyId} and id = any(${secretIds}::bigint[])
    returning secret_id as id`.execute(trx)
  return rows.map((row) => row.id)
}

export async function deleteConfiguration(trx: Trx, { companyId, id }: ScannerConfiguration): Promise<void> {
  await trx.deleteFrom('scanner_configuration').where('company_id', '=', companyId).where('id', '=', id).execute()
}

type Scheduled = { companyId: Id; assetId: Id; schedule: string; scheduledBy: Id | null }

/** Assets with a schedule that were not yet considered in this minute. */
export async function findScheduled(db: Db): Promise<Scheduled[]> {
  const { rows } = await sql<Scheduled>`
    select company_id as "companyId", asset_id as "assetId", schedule, scheduled_by as "scheduledBy"
    from scanner_configuration
    where schedule is not null and target_url is not null
      and (scheduled_at is null or scheduled_at < date_trunc('minute', now()))`.execute(db)
  return rows
}

/** False if another worker has already considered this minute. */
export async function takeMinute(
  trx: Trx,
  { companyId, assetId }: Pick<Scheduled, 'companyId' | 'assetId'>,
): Promise<boolean> {
  const { rows } = await sql`
    update scanner_configuration set scheduled_at = date_trunc('minute', now())
    where company_id = ${companyId} and asset_id = ${assetId}
      and (scheduled_at is null or scheduled_at < date_trunc('minute', now()))
    returning 1`.execute(trx)
  return rows.length > 0
}

export type AstError = {
  companyId: Id
  id: Id
  assetId: Id | null
  log: string
  userId: Id | null
  createdAt: string
}

export async function listAstErrors(
  db: Db,
  companyId: Id,
  assetId: Id | null,
  page: PageRequest,
): Promise<Page<AstError>> {
  const errors = db
    .selectFrom('ast_error')
    .select([
      'company_id as companyId',
      'id',
      'asset_id as assetId',
      'log',
      'created_by as userId',
      'created_at as createdAt',
    ])
    .where('company_id', '=', companyId)
  return newestFirst(db, assetId === null ? errors : errors.where('asset_id', '=', assetId), page, 'ast_error.id')
}

/** Stores a log, and keeps only the newest `most` of the same asset (or of none). */
export async function insertAstError(
  trx: Trx,
  error: Pick<AstError, 'companyId' | 'assetId' | 'log' | 'userId'>,
  most: number,
): Promise<Id> {
  const { companyId, assetId, log, userId } = error
  const inserted = await trx
    .insertInto('ast_error')
    .values({ company_id: companyId, asset_id: assetId, log, created_by: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    delete from ast_error where company_id = ${anyCompany(companyId)} and id = any(array(
      select id from ast_error
      where company_id = ${companyId} and ${assetId === null ? sql`asset_id is null` : sql`asset_id between ${assetId} and ${assetId}`}
      order by asset_id, id desc offset ${most}))`.execute(trx)
  return inserted.id
}
