// The SQL of components: those that bills of materials name, and how many open findings each has.

import { sql } from 'kysely'
import { walkRows } from '../../core/db/cursor.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { ImportKey } from './store-stage.ts'
import { COMPONENT } from './store-stage.ts'

export type SbomComponent = {
  companyId: Id
  id: Id
  assetId: Id
  name: string
  version: string | null
  purl: string | null
  packageManager: string | null
  license: string | null
  technology: string | null
  createdAt: string
  updatedAt: string
}

export type ComponentFilter = {
  name: string | null
  version: string | null
  assetIds: readonly Id[] | null
  packageManager: string | null
  license: string | null
  technology: string | null
}

const columns = [
  'company_id as companyId',
  'id',
  'asset_id as assetId',
  'name',
  'version',
  'purl',
  'package_manager as packageManager',
  'license',
  'technology',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

export async function listComponents(
  db: Db,
  companyId: Id,
  filter: ComponentFilter,
  page: PageRequest,
): Promise<Page<SbomComponent>> {
  let query = db.selectFrom('component').select(columns).where('company_id', '=', companyId)
  if (filter.assetIds) query = query.where(sql<boolean>`asset_id = any(${filter.assetIds}::bigint[])`)
  if (filter.name !== null) query = query.where(sql<boolean>`strpos(lower(name), lower(${filter.name})) > 0`)
  if (filter.license !== null) query = query.where(sql<boolean>`strpos(lower(license), lower(${filter.license})) > 0`)
  if (filter.version !== null) query = query.where('version', '=', filter.version)
  if (filter.packageManager !== null) {
    query = query.where(sql<boolean>`lower(package_manager) = lower(${filter.packageManager})`)
  }
  if (filter.technology !== null) query = query.where(sql<boolean>`lower(technology) = lower(${filter.technology})`)
  return newestFirst(db, query, page, 'component.id')
}

/** An exported component, with its asset and the scope whose bill of materials names it. */
type PlacedComponent = Pick<
  SbomComponent,
  'id' | 'name' | 'version' | 'purl' | 'packageManager' | 'license' | 'technology'
> & { scope: string; asset: { id: Id; name: string } }

/** All components of the company, or of some of its assets. BY_PURL orders bytewise, components without a purl last. */
export async function* readComponents(
  trx: Trx,
  companyId: Id,
  assetIds: readonly Id[] | null,
  order: 'BY_ID' | 'BY_PURL',
): AsyncGenerator<PlacedComponent> {
  const ofAssets = assetIds ? sql`and component.asset_id = any(${assetIds}::bigint[])` : sql``
  const query = sql<PlacedComponent>`
    select component.id, scope, component.name, version, purl, package_manager as "packageManager", license, technology,
      jsonb_build_object('id', asset.id::text, 'name', asset.name) as asset
    from component join asset on asset.company_id = component.company_id and asset.id = component.asset_id
    where component.company_id = ${companyId}::bigint ${ofAssets}
    order by ${order === 'BY_PURL' ? sql`purl collate "C",` : sql``} component.id`
  for await (const rows of walkRows<PlacedComponent>(trx, query, WALKED_AT_ONCE)) yield* rows
}

const WALKED_AT_ONCE = 1000

/** Components written by one statement. */
const AT_ONCE = 5000

/**
 * Writes the staged components: inserts new ones, and updates those that have changed. All get the import's id, which tells them from the
 * other components of the scope. Returns the number of distinct components.
 */
export async function upsertComponents(trx: Trx, { companyId, id }: ImportKey, assetId: Id): Promise<number> {
  let total = 0
  for (let after = '-9223372036854775808'; ; ) {
    const { rows } = await sql<{ last: string | null; taken: number }>`
      with bounds as materialized (
        select max(bucket) as last from (
          select bucket from import_staged
          where company_id = ${companyId} and import_id = ${id} and kind = ${COMPONENT} and bucket > ${after}::bigint
          order by bucket limit ${AT_ONCE}) as page),
      given as (
        select distinct on (key) c.*
        from bounds
        join import_staged as staged on staged.company_id = ${companyId} and import_id = ${id} and kind = ${COMPONENT}
          and bucket > ${after}::bigint and bucket <= bounds.last
        cross join jsonb_to_record(payload::jsonb) as c (scope text, name text, version text, purl text,
          "packageManager" text, license text, technology text, key text)
        order by key),
      written as (
        insert into component (company_id, asset_id, component_key, scope, name, version, purl, package_manager, license,
          technology, import_id)
        select ${companyId}::bigint, ${assetId}::bigint, decode(key, 'hex'), scope, name, version, purl, "packageManager",
          license, technology, ${id}::bigint
        from given
        on conflict (company_id, asset_id, component_key) do update set import_id = excluded.import_id,
          license = coalesce(excluded.license, component.license),
          technology = coalesce(excluded.technology, component.technology),
          updated_at = case when coalesce(excluded.license, component.license) is distinct from component.license
              or coalesce(excluded.technology, component.technology) is distinct from component.technology
            then now() else component.updated_at end
        returning 1)
      select (select last from bounds) as last, (select count(*)::int from written) as taken`.execute(trx)
    const [row] = rows
    if (!row?.last) return total
    total += row.taken
    after = row.last
  }
}

/** Deletes the components of these scopes that the import did not contain. */
export async function deleteOtherComponents(
  trx: Trx,
  { companyId, id }: ImportKey,
  assetId: Id,
  scopes: readonly string[],
): Promise<void> {
  await sql`
    delete from component where company_id = ${companyId} and asset_id = ${assetId} and scope = any(${scopes}::text[])
      and import_id is distinct from ${id}::bigint`.execute(trx)
}

/** Counts the open findings of components, matched by name, and by version if both have one. */
export async function countIssues(
  db: Db,
  keys: readonly { companyId: Id; assetId: Id; name: string; version: string | null }[],
): Promise<{ n: number; severity: SeverityCategory; count: number }[]> {
  const numbered = keys.map((key, n) => ({ n, ...key }))
  const { rows } = await sql<{ n: number; severity: SeverityCategory; count: number }>`
    select asked.n, issue.severity, count(*)::int as count
    from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
      as asked (n int, "companyId" bigint, "assetId" bigint, name text, version text)
    join issue on issue.company_id = "companyId" and issue.asset_id = "assetId" and issue.detail ->> 'package' = asked.name
      and issue.type in ('SCA_FINDING', 'CONTAINER_FINDING') and issue.status = any(${openStatuses}::issue_status[])
      and (asked.version is null or issue.detail ->> 'affectedVersion' is null
           or issue.detail ->> 'affectedVersion' = asked.version)
    group by asked.n, issue.severity`.execute(db)
  return rows
}
