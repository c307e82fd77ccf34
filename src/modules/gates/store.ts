// The SQL of policies and of the branches of an asset.

import { type RawBuilder, sql } from 'kysely'
import { inOrderOf } from '../../core/db/in-order-of.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Rule } from './gate.ts'

/** `assetId` is null for the company's policy. */
export type StoredPolicy = {
  id: Id
  companyId: Id
  assetId: Id | null
  rules: (Omit<Rule, 'despiteReports'> & Partial<Rule>)[]
  updatedById: Id | null
  updatedAt: string
}

const columns = sql`gate_policy.id, gate_policy.company_id as "companyId", gate_policy.asset_id as "assetId", gate_policy.rules,
  gate_policy.updated_by as "updatedById", gate_policy.updated_at as "updatedAt"`

/** The policies of these assets and of their companies. */
export async function findPolicies(
  db: Db,
  owners: readonly { companyId: Id; assetId: Id | null }[],
): Promise<StoredPolicy[]> {
  const [companies, assets] = [owners.map(({ companyId }) => companyId), owners.map(({ assetId }) => assetId)]
  const { rows } = await sql<StoredPolicy>`
    select ${columns} from gate_policy
    where company_id = any(${[...new Set(companies)]}::bigint[])
      and (asset_id is null or asset_id = any(${[...new Set(assets)]}::bigint[]))`.execute(db)
  return rows
}

/** The own policy of a company or an asset; locks the company's policies against other changes until the transaction ends. */
export async function lockPolicy(trx: Trx, companyId: Id, assetId: Id | null): Promise<StoredPolicy | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended('gate_policy', ${companyId}))`.execute(trx)
  const { rows } = await sql<StoredPolicy>`
    select ${columns} from gate_policy
    where company_id = ${companyId} and asset_id is not distinct from ${assetId}::bigint`.execute(trx)
  return rows[0] ?? null
}

export async function savePolicy(
  trx: Trx,
  policy: Pick<StoredPolicy, 'companyId' | 'assetId' | 'rules' | 'updatedById'>,
): Promise<StoredPolicy> {
  const { rows } = await sql<StoredPolicy>`
    insert into gate_policy (company_id, asset_id, rules, updated_by)
    values (${policy.companyId}, ${policy.assetId}, ${JSON.stringify(policy.rules)}::jsonb, ${policy.updatedById})
    on conflict (company_id, asset_id) do update
      set rules = excluded.rules, updated_by = excluded.updated_by, updated_at = now()
    returning ${columns}`.execute(trx)
  const [saved] = rows
  if (!saved) throw new Error('A row that is inserted or updated is returned')
  return saved
}

export async function deletePolicy(trx: Trx, { companyId, id }: StoredPolicy): Promise<void> {
  await trx.deleteFrom('gate_policy').where('company_id', '=', companyId).where('id', '=', id).execute()
}

/** The branch called main, else master, else the one deployed first; for an asset without deploys, the first with open findings. */
const defaultBranch = (companyId: RawBuilder<unknown>, assetId: RawBuilder<unknown>) => {
  const deploys = sql`from deploy where company_id = ${companyId} and asset_id = ${assetId}`
  const places = sql`from occurrence where company_id = ${companyId} and asset_id = ${assetId} and is_open`
  const named = inOrderOf(sql`branch`, sql`usual.name`)
  return sql<string | null>`coalesce(
    (select usual.name from (values (1, 'main'), (2, 'master')) as usual (place, name)
      where exists (select ${deploys} and ${named}) or exists (select ${places} and ${named})
      order by usual.place limit 1),
    (select branch ${deploys} order by id limit 1),
    (select branch ${places} order by branch limit 1))`
}

/** `isReported`: whether a finding was ever reported there. */
export type DefaultBranch = { name: string; isReported: boolean }

/** Keyed by asset id. */
export async function findDefaultBranches(
  db: Db,
  assets: readonly { companyId: Id; assetId: Id }[],
): Promise<Map<Id, DefaultBranch>> {
  if (assets.length === 0) return new Map()
  const { rows } = await sql<DefaultBranch & { assetId: Id }>`
    select id as "assetId", name, exists (
      select from occurrence where company_id = chosen.company_id and asset_id = chosen.id and branch = name) as "isReported"
    from (
      select asset.company_id, asset.id, ${defaultBranch(sql`asset.company_id`, sql`asset.id`)} as name
      from asset where company_id = any(${assets.map(({ companyId }) => companyId)}::bigint[])
        and id = any(${assets.map(({ assetId }) => assetId)}::bigint[]) offset 0) as chosen
    where name is not null`.execute(db)
  return new Map(rows.map(({ assetId, ...branch }) => [assetId, branch]))
}

/** `name` is '' for deploys and findings that name no branch. */
type BranchName = { name: string; isDefault: boolean }

/**
 * The names of the branches with deploys or open findings of the asset. A loose index scan: one lookup for each name, however many deploys
 * and findings there are.
 */
export async function listBranchNames(db: Db, companyId: Id, assetId: Id): Promise<BranchName[]> {
  const deploys = sql`select branch from deploy where company_id = ${companyId} and asset_id = ${assetId}`
  const places = sql`select branch from occurrence where company_id = ${companyId} and asset_id = ${assetId} and is_open`
  const { rows } = await sql<BranchName>`
    with recursive
      deployed (name) as (
        (${deploys} order by branch limit 1)
        union all
        select (${deploys} and branch > deployed.name order by branch limit 1) from deployed
        where deployed.name is not null),
      found (name) as (
        (${places} order by branch limit 1)
        union all
        select (${places} and branch > found.name order by branch limit 1) from found where found.name is not null),
      named as (
        select name from deployed where name is not null
        union select name from found where name is not null)
    select name, name = ${defaultBranch(sql`${companyId}::bigint`, sql`${assetId}::bigint`)} as "isDefault"
    from named order by name collate "C"`.execute(db)
  return rows
}
