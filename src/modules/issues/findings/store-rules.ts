// The SQL of identity rules, and of the past reports on which a rule can be tried.

import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../../core/db/page.ts'
import type { IssueType } from '../../../core/db/tables.generated.ts'
import type { Id } from '../../../core/ids.ts'
import type { IdentityField } from './finding.ts'
import type { SaidPlace } from './in-place.ts'
import type { Listed } from './place-rows.ts'
import type { ToolRule } from './rules.ts'

/** The rules of an asset as JSON, its company's first; null if there are none. Needs a table or alias `asset`. */
export const rulesOfAsset: RawBuilder<ToolRule[] | null> = sql`(
  select jsonb_agg(jsonb_build_object('toolName', tool_name, 'fields', fields) order by rule.asset_id nulls first)
  from identity_rule as rule
  where rule.company_id = asset.company_id and (rule.asset_id = asset.id or rule.asset_id is null))`

export async function findRules(db: Db | Trx, companyId: Id, assetId: Id): Promise<ToolRule[]> {
  const { rows } = await sql<{ rules: ToolRule[] | null }>`
    select ${rulesOfAsset} as rules from asset where company_id = ${companyId} and id = ${assetId}`.execute(db)
  return rows[0]?.rules ?? []
}

export type IdentityRule = {
  id: Id
  companyId: Id
  assetId: Id | null
  toolName: string
  fields: IdentityField[]
  setById: Id | null
  setAt: string
}

const columns = [
  'identity_rule.id',
  'identity_rule.company_id as companyId',
  'identity_rule.asset_id as assetId',
  'identity_rule.tool_name as toolName',
  'identity_rule.fields',
  'identity_rule.set_by as setById',
  'identity_rule.set_at as setAt',
] as const

export const listRules = (db: Db, companyId: Id, page: PageRequest): Promise<Page<IdentityRule>> =>
  newestFirst(
    db,
    db.selectFrom('identity_rule').select(columns).where('company_id', '=', companyId),
    page,
    'identity_rule.id',
  ) as Promise<Page<IdentityRule>>

/** The own rule of the asset, or of the company, locked until the transaction ends. */
export async function lockRule(
  trx: Trx,
  { companyId, assetId, toolName }: Pick<IdentityRule, 'companyId' | 'assetId' | 'toolName'>,
): Promise<IdentityRule | null> {
  const row = await trx
    .selectFrom('identity_rule')
    .select(columns)
    .where('company_id', '=', companyId)
    .where(sql<boolean>`asset_id is not distinct from ${assetId}::bigint`)
    .where('tool_name', '=', toolName)
    .forUpdate()
    .executeTakeFirst()
  return (row as IdentityRule | undefined) ?? null
}

export async function saveRule(
  trx: Trx,
  rule: Pick<IdentityRule, 'companyId' | 'assetId' | 'toolName' | 'setById'> & { fields: readonly IdentityField[] },
): Promise<void> {
  await sql`
    insert into identity_rule (company_id, asset_id, tool_name, fields, set_by)
    values (${rule.companyId}, ${rule.assetId}, ${rule.toolName}, ${[...rule.fields]}::text[], ${rule.setById})
    on conflict (company_id, asset_id, tool_name) do update
      set fields = excluded.fields, set_by = excluded.set_by, set_at = now()`.execute(trx)
}

export async function deleteRule(trx: Trx, { companyId, id }: IdentityRule): Promise<void> {
  await trx.deleteFrom('identity_rule').where('company_id', '=', companyId).where('id', '=', id).execute()
}

/** A place of a finding, with the evidence of the report that set it, or without any if a deploy carried the finding there. */
type StoredPlace = SaidPlace & { id: Id; type: IssueType }

/** A whole report, and the issues of its rows: those that it had, and those that it closed. */
export type StoredReport = Omit<Listed, 'closed'> & {
  issueIds: readonly Id[]
  changedIds: readonly Id[]
  closedIds: readonly Id[]
  isKept: boolean
}

const MOST_REPORTS = 1000

/**
 * The newest reports of an asset, oldest first, with what they had; `isKept`: whether all rows of the report are still stored, and it is one
 * of the newest that together have at most `most` rows.
 */
export async function findStoredReports(db: Db, companyId: Id, assetId: Id, most: number): Promise<StoredReport[]> {
  const { rows } = await sql<StoredReport>`
    select said.at, said.branch, said.commit, said.scan_id as "scanId", said.deploy_id is not null as "isMapped", closes,
      coalesce(told.issues, '{}') as "issueIds", coalesce(told.changed, '{}') as "changedIds",
      coalesce(told.gone, '{}') as "closedIds",
      coalesce(told.count, 0) = said.rows as "isKept"
    from (
      select id, taken_at as at, branch, commit_ref as commit, scan_id, deploy_id,
        coalesce((asked->>'closeAbsent')::boolean, false) and unclosed_reason is null as closes,
        counted.rows, sum(counted.rows) over (order by id desc) as total
      from import cross join lateral (select created + updated + unchanged + reopened + merged + closed as rows) as counted
      where company_id = ${companyId} and asset_id = ${assetId} and taken_at is not null
      order by id desc limit ${MOST_REPORTS}) as said
    cross join lateral (
      select count(*)::int as count, array_agg(issue_id::text) filter (where disposition <> 'CLOSED') as issues,
        array_agg(issue_id::text) filter (where disposition in ('UPDATED', 'REOPENED')) as changed,
        array_agg(issue_id::text) filter (where disposition = 'CLOSED') as gone
      from import_row
      where company_id = ${companyId} and import_id = said.id and said.total <= ${most}
        and issue_id is not null and disposition <> 'LEFT_OUT') as told
    order by said.at, said.id`.execute(db)
  return rows
}

/** The newest places of a tool's findings in an asset, in chronological order. */
export async function findStoredPlaces(
  db: Db,
  { companyId, assetId, toolName }: { companyId: Id; assetId: Id; toolName: string },
  most: number,
): Promise<StoredPlace[]> {
  const { rows } = await sql<StoredPlace>`
    with whole as materialized (
      select taken_at from import where company_id = ${companyId} and asset_id = ${assetId} and taken_at is not null)
    select place.id, said.id as "findingId", coalesce(said.merged_into_id, said.id) as "issueId", said.type, place.branch, place.at,
      place.path, place.line, place.last_seen_at as "lastSeenAt", place.deploy_id is not null as "isMapped",
      place.is_open as "isOpen",
      -- what an import writes has the very moment of the import
      place.at in (select taken_at from whole) as "isWhole", place.last_seen_at in (select taken_at from whole) as "isLastWhole",
      jsonb_strip_nulls(jsonb_build_object('title', said.title, 'toolId', said.original_issue_id, 'fingerprint', said.fingerprint,
        'partialFingerprint', said.partial_fingerprint)) as said,
      coalesce(place.observed, case when place.id = place.first_id then jsonb_strip_nulls(jsonb_build_object('title', said.title,
        'rule', said.rule, 'toolId', said.original_issue_id, 'fingerprint', said.fingerprint, 'partialFingerprint',
        said.partial_fingerprint, 'snippetHash', place.snippet_hash::text)) end) as observed
    from finding as said
    cross join lateral (
      select occurrence_place.*, occurrence.last_seen_at, occurrence.is_open, occurrence.snippet_hash, min(occurrence_place.id) over () as first_id
      from occurrence_place
      join occurrence on occurrence.company_id = ${companyId} and occurrence.id = occurrence_place.occurrence_id
        and not occurrence.is_absent
      where occurrence_place.company_id = ${companyId} and occurrence_place.issue_id = said.id) as place
    where said.company_id = ${companyId} and said.asset_id = ${assetId} and lower(said.tool_name) = ${toolName}
    order by place.id desc limit ${most}`.execute(db)
  return rows.reverse()
}
