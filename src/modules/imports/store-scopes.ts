// The SQL of scopes: which findings the reports of a tool, a branch and a part of an asset contained, and which are absent now.

import { type RawBuilder, sql } from 'kysely'
import { sha256 } from '../../core/crypto.ts'
import { anyCompany } from '../../core/db/any-company.ts'
import type { Trx } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import type { Id } from '../../core/ids.ts'
import type { Section } from './sections.ts'

export type Branch = { companyId: Id; assetId: Id; branch: string }

/** The branch whose findings are compared with a report, and the files that the report says nothing about. */
type Looking = Branch & { unseen: readonly string[] }

const keyOf = (branch: string, { tool, scope }: Section): string =>
  sha256(JSON.stringify([branch, tool, scope])).toString('hex', 0, 16)

/**
 * The ids of these scopes, in their order; missing scopes are created. On a branch that was forked from another, a new scope takes over what
 * it contained there, as far as those findings are on the branch. Two statements.
 */
export async function requireScopes(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  format: string,
  sections: readonly Section[],
): Promise<Id[]> {
  if (sections.length === 0) return []
  const source = await findSource(trx, { companyId, assetId, branch })
  const given = sections.map((section) => ({
    ...section,
    key: keyOf(branch, section),
    sourceKey: source === null ? null : keyOf(source, section),
  }))
  const { rows } = await sql<{ id: Id; key: string }>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (tool text, scope text, key text, "sourceKey" text)),
    made as (
      insert into import_scope (company_id, asset_id, branch, tool_name, scope, format, scope_key)
      select ${companyId}::bigint, ${assetId}::bigint, ${branch}, tool, scope, ${format}, decode(key, 'hex') from given
      on conflict (company_id, asset_id, scope_key) do nothing returning id, scope_key)
      ${source === null ? sql`` : inherited({ companyId, assetId, branch })}
    select id, encode(scope_key, 'hex') as key from made
    union all
    select id, encode(scope_key, 'hex') as key from import_scope
    where company_id = ${companyId} and asset_id = ${assetId} and scope_key = any(select decode(key, 'hex') from given)`.execute(
    trx,
  )
  const ids = new Map(rows.map(({ id, key }) => [key, id]))
  return given.map(({ key }) => ids.get(key) ?? '')
}

/**
 * What the scopes that are made begin with, as a part of a WITH. Step by step, each behind a fence: planned as one join, with figures that are
 * old, all that any scope of the asset has had was gone through before it was seen that none is made.
 */
const inherited = ({ companyId, assetId, branch }: Branch) => sql`,
    inherited as (
      insert into import_seen (company_id, scope_id, issue_id)
      select ${companyId}::bigint, begun.id, seen.issue_id
      from (
        select made.id, decode(given."sourceKey", 'hex') as source_key
        from made join given on decode(given.key, 'hex') = made.scope_key offset 0) as begun
      cross join lateral (
        select id from import_scope
        where company_id = ${companyId} and asset_id = ${assetId} and scope_key = begun.source_key offset 0) as source
      cross join lateral (
        select issue_id from import_seen where company_id = ${companyId} and scope_id = source.id offset 0) as seen
      cross join lateral (
        select from occurrence where company_id = ${anyCompany(companyId)} and issue_id = seen.issue_id
          and branch = ${branch} and is_open offset 0) as place)`

/** The branch from whose head this one's first deploy starts; null if there is none. */
async function findSource(trx: Trx, { companyId, assetId, branch }: Branch): Promise<string | null> {
  const { rows } = await sql<{ source: string }>`
    select before.branch as source
    from (
      select id, previous_commit from deploy
      where company_id = ${companyId} and asset_id = ${assetId} and branch = ${branch}
        and lineage = 'BRANCHES' order by id limit 1) as first
    join deploy as before on before.company_id = ${companyId} and before.asset_id = ${assetId} and before.id < first.id
      and before.branch <> ${branch} and before.current_commit = first.previous_commit and before.lineage <> 'LATE'
    order by before.id desc limit 1`.execute(trx)
  return rows[0]?.source ?? null
}

/** Records which findings the reports of scopes contained. A pair that is known already costs one index lookup. */
export async function insertSeen(
  trx: Trx,
  companyId: Id,
  scopeIds: readonly Id[],
  issueIds: readonly Id[],
): Promise<void> {
  await sql`
    insert into import_seen (company_id, scope_id, issue_id)
    select distinct ${companyId}::bigint, scope_id, issue_id
    from unnest(${scopeIds}::bigint[], ${issueIds}::bigint[]) as seen (scope_id, issue_id)
    order by 2, 3 on conflict do nothing`.execute(trx)
}

/** The scopes on the branch with one of these names and this format, and whether each has open findings. */
export async function findScopesNamed(
  trx: Trx,
  { companyId, assetId, branch }: Branch,
  format: string,
  scopes: readonly string[],
): Promise<{ id: Id; tool: string; scope: string; hasFindings: boolean }[]> {
  const { rows } = await sql<{ id: Id; tool: string; scope: string; hasFindings: boolean }>`
    select id, tool_name as tool, scope, exists (
      select from import_seen as seen
      join occurrence on occurrence.company_id = seen.company_id and occurrence.issue_id = seen.issue_id
        and occurrence.branch = named.branch and occurrence.is_open
      join finding on finding.company_id = seen.company_id and finding.id = seen.issue_id
        and finding.status = any(${openStatuses}::issue_status[])
      where seen.company_id = named.company_id and seen.scope_id = named.id) as "hasFindings"
    from import_scope as named
    where company_id = ${companyId} and asset_id = ${assetId} and branch = ${branch} and format = ${format}
      and scope = any(${scopes}::text[]) order by id`.execute(trx)
  return rows
}

/**
 * The findings of `scope` that are open on the branch and have no row in the import, as `issue_id`. A finding that was reported since this
 * transaction began is not absent, and neither is one in a file of `unseen`. The planner has no statistics yet for the rows just written, so
 * the query is shaped for it: the import's findings are subtracted as a set, and a place is looked up by issue and branch alone; otherwise
 * it would scan everything open on the branch for each.
 */
const absentFrom = (companyId: Id, importId: Id, { branch, unseen }: Looking, scope: RawBuilder<unknown>) => sql`(
  select gone.issue_id
  from (
    select issue_id from import_seen as seen where seen.company_id = ${companyId} and ${scope}
    except
    select issue_id from import_row where company_id = ${companyId} and import_id = ${importId}) as gone
  cross join lateral (
    select path, is_open, is_absent, last_seen_at from occurrence
    where company_id = ${anyCompany(companyId)} and issue_id = gone.issue_id and branch = ${branch}
    offset 0) as place
  cross join lateral (
    select from finding where company_id = ${anyCompany(companyId)} and id = gone.issue_id
      and status = any(${openStatuses}::issue_status[]) offset 0) as issue
  where place.is_open and not place.is_absent and place.last_seen_at < now()
    ${unseen.length === 0 ? sql`` : sql`and (place.path is null or place.path <> all(${unseen}::text[]))`}) as absent`

export type ScopeStanding = { id: Id; tool: string; scope: string; absent: number }

/** For each scope, how many of its findings are open on the branch and absent from the import. */
export async function countAbsent(
  trx: Trx,
  importId: Id,
  looking: Looking,
  scopeIds: readonly Id[],
): Promise<ScopeStanding[]> {
  const { companyId } = looking
  const { rows } = await sql<ScopeStanding>`
    select scope.id, scope.tool_name as tool, scope.scope, counted.absent
    from import_scope as scope
    cross join lateral (
      select count(*)::int as absent
      from ${absentFrom(companyId, importId, looking, sql`seen.scope_id = scope.id`)}) as counted
    where scope.company_id = ${companyId} and scope.id = any(${scopeIds}::bigint[]) order by scope.id`.execute(trx)
  return rows
}

/**
 * The next absent findings of the scopes, after `after`, each with whether another scope of the branch still contains it. Removes them from
 * the scopes.
 */
export async function takeAbsent(
  trx: Trx,
  importId: Id,
  looking: Looking,
  scopeIds: readonly Id[],
  after: Id,
  most: number,
): Promise<{ issueId: Id; isElsewhere: boolean }[]> {
  const { companyId, assetId, branch } = looking
  const scope = sql`seen.scope_id = any(${scopeIds}::bigint[]) and seen.issue_id > ${after}`
  const { rows } = await sql<{ issueId: Id; isElsewhere: boolean }>`
    with absent as materialized (
      select issue_id from ${absentFrom(companyId, importId, looking, scope)} order by issue_id limit ${most}),
    forgotten as (
      delete from import_seen as seen using absent
      where seen.company_id = ${companyId} and seen.scope_id = any(${scopeIds}::bigint[]) and seen.issue_id = absent.issue_id)
    select absent.issue_id as "issueId", exists (
      select from import_scope as other
      join import_seen as still on still.company_id = other.company_id and still.scope_id = other.id
        and still.issue_id = absent.issue_id
      where other.company_id = ${companyId} and other.asset_id = ${assetId} and other.branch = ${branch}
        and other.id <> all(${scopeIds}::bigint[])) as "isElsewhere"
    from absent order by absent.issue_id`.execute(trx)
  return rows
}

/** Records that a report covered these scopes completely. */
export async function updateWhole(trx: Trx, companyId: Id, scopeIds: readonly Id[], importId: Id): Promise<void> {
  await sql`
    update import_scope set whole_import_id = ${importId}, whole_at = now()
    where company_id = ${companyId} and id = any(${scopeIds}::bigint[])`.execute(trx)
}
