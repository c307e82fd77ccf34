// The SQL of the facts that decide the state of checks: findings with a weakness, and scans of the assets concerned.

import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../core/db/any-of.ts'
import { byId } from '../../core/db/by-id.ts'
import { inOrderOf } from '../../core/db/in-order-of.ts'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { IssueStatus, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'

/** The assets to which a check applies: those of a company, or of one of its projects. */
export type Scope = { companyId: Id; projectId: Id | null }

/** Counts of the findings in one scope with exactly these weaknesses, so that one statement serves many patterns. */
export type Tally = Scope & {
  cwes: number[]
  open: number
  /** findings whose risk a person accepted: the weakness still exists */
  accepted: number
  /** the most severe open finding; of equally severe ones the newest */
  worstId: Id | null
  /** larger is more severe: LOW is above NOTIFICATION, and so on */
  worstRank: number
}

/** Up to this many weaknesses the index by weakness is used; for more, counting all rows costs less. */
const FEW_WEAKNESSES = 50

const hasOneOf = (cwes: readonly number[]): RawBuilder<boolean> =>
  cwes.length > FEW_WEAKNESSES ? sql`i.cwe_ids <> '{}'` : sql`i.cwe_ids && ${cwes}::int[]`

const rank = sql`case i.severity
  when 'CRITICAL' then 5 when 'HIGH' then 4 when 'MEDIUM' then 3 when 'LOW' then 2 else 1 end::bigint`

/** Counts open findings and accepted risks of each scope by their weaknesses: those with one of `cwes`, and possibly others. */
export async function tallyFindings(
  db: Db,
  scopes: readonly Scope[],
  cwes: readonly number[],
  openStatuses: readonly IssueStatus[],
): Promise<Tally[]> {
  const companies = scopes.flatMap(({ companyId, projectId }) => (projectId === null ? [companyId] : []))
  const counted = [...openStatuses, 'RISK_ACCEPTED']
  const projects = scopes.filter(({ projectId }) => projectId !== null)
  const { rows } = await sql<Tally>`
    select company_id as "companyId", project_id as "projectId", cwe_ids as cwes,
           count(*) filter (where status <> 'RISK_ACCEPTED')::int as open,
           count(*) filter (where status = 'RISK_ACCEPTED')::int as accepted,
           max((rank << 60) | id) filter (where status <> 'RISK_ACCEPTED') & ((1::bigint << 60) - 1) as "worstId",
           coalesce(max(rank) filter (where status <> 'RISK_ACCEPTED'), 0)::int as "worstRank"
    from (
      select i.company_id, null::bigint as project_id, i.cwe_ids, i.status, i.id, ${rank} as rank
      from issue i
      where i.company_id = any(${companies}::bigint[]) and ${hasOneOf(cwes)} and i.status = any(${counted}::issue_status[])
      union all
      select i.company_id, p.project_id, i.cwe_ids, i.status, i.id, ${rank} as rank
      from jsonb_to_recordset(${JSON.stringify(projects)}::jsonb) as asked("companyId" bigint, "projectId" bigint)
      join project_asset p on p.company_id = asked."companyId" and p.project_id = asked."projectId"
      join issue i on i.company_id = p.company_id and i.asset_id = p.asset_id
      where ${hasOneOf(cwes)} and i.status = any(${counted}::issue_status[])) found
    group by company_id, project_id, cwe_ids`.execute(db)
  return rows
}

export type NamedFinding = { id: Id; title: string; severity: SeverityCategory; cwes: number[] }

/** The findings with these ids in these companies, as the reason of a state names them. */
export async function findNamed(db: Db, companyIds: readonly Id[], ids: readonly Id[]): Promise<NamedFinding[]> {
  const { rows } = await sql<NamedFinding>`
    select id, title, severity, cwe_ids as cwes from issue
    where company_id = ${anyOf(companyIds)} and id = ${anyOf(ids)}`.execute(db)
  return rows
}

/** Who reported findings in a company: an integration (null: none), and a tool ('': not named). */
type Reporter = { companyId: Id; integration: string | null; tool: string; cwes: number[] }

/** The weaknesses that each integration and tool itself has reported, also as a witness and in closed findings: `cwes`, and possibly others. */
export async function findReporters(db: Db, companyIds: readonly Id[], cwes: readonly number[]): Promise<Reporter[]> {
  const { rows } = await sql<Reporter>`
    select i.company_id as "companyId", s.integration, i.tool_name as tool, coalesce(i.own_cwe_ids, i.cwe_ids) as cwes
    from finding i left join scan s on s.company_id = i.company_id and s.id = i.scan_id
    where i.company_id = ${anyOf(companyIds)} and ${hasOneOf(cwes)} and (s.id is not null or i.tool_name <> '')
    group by i.company_id, s.integration, i.tool_name, coalesce(i.own_cwe_ids, i.cwe_ids)`.execute(db)
  return rows
}

/** An examination of an asset: an integration's last successful scan, or a tool's last complete report. */
export type Look = {
  kind: 'SCAN' | 'IMPORT'
  /** the id of the scan or the import */
  id: Id
  /** the integration's id, or the tool's name in its reports */
  by: string
  /** ISO 8601 */
  at: string
}

/** Integrations, whose scans count as examinations, and tools, whose complete reports do. */
export type Lookers = { integrations: readonly string[]; tools: readonly string[] }

export type ScopeAsset = Scope & {
  id: Id
  name: string
  /** when the last deploy was recorded, ISO 8601; null if there is none */
  changedAt: string | null
  looks: Look[]
  /** when people last marked findings with these weaknesses as fixed, if after one of the looks, and the last scans that reported these */
  fixes: { cwes: number[]; at: string; scanIds: Id[] }[]
}

/** More deploys of an asset than are recorded at the same time, of which one with a smaller id may be the later. */
const NEWEST_DEPLOYS = 100

/** The assets of each scope, with their last deploy and the last look of each of these integrations and tools. */
export async function findScopeAssets(
  db: Db,
  scopes: readonly Scope[],
  { integrations, tools }: Lookers,
): Promise<ScopeAsset[]> {
  const { rows } = await sql<ScopeAsset>`
    select asked."companyId", asked."projectId", a.id, a.name, changed.at as "changedAt",
           coalesce(looked.looks, '[]'::jsonb) as looks, coalesce(fixed.fixes, '[]'::jsonb) as fixes
    from jsonb_to_recordset(${JSON.stringify(scopes)}::jsonb) as asked("companyId" bigint, "projectId" bigint)
    join asset a on a.company_id = asked."companyId" and (asked."projectId" is null or exists (
      select 1 from project_asset p
      where p.company_id = a.company_id and p.project_id = asked."projectId" and p.asset_id = a.id))
    cross join lateral (
      -- among the newest by their ids, since the planner would look for one among the latest of the company
      select max(newest.created_at) as at from (
        select d.created_at from deploy d where d.company_id = a.company_id and d.asset_id between a.id and a.id
        order by d.asset_id, d.id desc limit ${NEWEST_DEPLOYS}) newest) changed
    cross join lateral (
      select jsonb_agg(jsonb_build_object('kind', kind, 'id', id::text, 'by', by, 'at', at)) as looks, min(at) as oldest
      from (
        select * from (
          select distinct on (s.integration) 'SCAN' as kind, s.id, s.integration as by, s.finished_at as at from scan s
          where s.company_id = a.company_id and s.asset_id = a.id and s.status = 'SUCCEEDED' and s.finished_at is not null
            and not s.is_partial
            and s.integration = any(${integrations}::text[])
          order by s.integration, s.finished_at desc) scanned
        union all
        select * from (
          select distinct on (named.tool) 'IMPORT', r.whole_import_id, named.tool, r.whole_at
          -- scopes have the names of their tools in small letters
          from unnest(${tools}::text[]) as named(tool) join import_scope r on r.tool_name = lower(named.tool)
          where r.company_id = a.company_id and r.asset_id = a.id and r.whole_at is not null
          order by named.tool, r.whole_at desc) imported) last) looked
    cross join lateral (
      select jsonb_agg(jsonb_build_object('cwes', cwe_ids, 'at', at, 'scanIds', scan_ids)) as fixes from (
        select i.cwe_ids, max(i.closed_at) as at,
               coalesce(array_agg(distinct i.scan_id::text) filter (where i.scan_id is not null), '{}') as scan_ids from issue i
        where i.company_id = a.company_id and i.asset_id = a.id and i.status = 'FIX_ACCEPTED'
          and i.closed_at >= looked.oldest and i.cwe_ids <> '{}'
          -- what a scan closed, because it did not find it any more, is no claim that a scan would have to prove
          and (select e.scan_id from issue_event e
            where e.company_id = i.company_id and e.issue_id = i.id and e.status = 'FIX_ACCEPTED'
            order by e.id desc limit 1) is null
        group by i.cwe_ids) latest) fixed
    order by a.id`.execute(db)
  return rows
}

/** A page of a scope's open findings with one of the weaknesses; `after` is the last id of the previous page. */
export type FindingsQuestion = Scope & {
  number: number
  cwes: readonly number[]
  limit: number
  offset: number
  after: Id | null
}

export type FindingsAnswer = { number: number; ids: Id[] }

/** The ids of each page, newest first. Fastest if `cwes` has only weaknesses that open findings have, which are few. */
export async function findFindings(
  db: Db,
  questions: readonly FindingsQuestion[],
  openStatuses: readonly IssueStatus[],
): Promise<FindingsAnswer[]> {
  const isAsked = sql`i.cwe_ids && asked.cwes and i.status = any(${openStatuses}::issue_status[])
    and (asked.after is null or i.id < asked.after)`
  const { rows } = await sql<FindingsAnswer>`
    select asked.number, case when asked."projectId" is null then array(
      select found.id::text from (
        select i.id from issue i where i.company_id = asked."companyId" and ${isAsked} offset 0) found
      order by found.id desc limit asked."limit" offset asked."offset")
    else array(
      -- from the assets of the project, of which others of the company may have far more findings
      select found.id::text from project_asset p cross join lateral (
        select i.id from issue i where i.company_id = p.company_id and i.asset_id = p.asset_id and ${isAsked} offset 0) found
      where p.company_id = asked."companyId" and p.project_id = asked."projectId"
      order by found.id desc limit asked."limit" offset asked."offset") end as ids
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as asked(number int, "companyId" bigint,
      "projectId" bigint, cwes int[], "limit" int, "offset" int, after bigint)`.execute(db)
  return rows
}

/** An issue by company and id, with the attack patterns that use one of its weaknesses. */
type BreakingIssue = { number: number; companyId: Id; issueId: Id; capecIds: readonly number[] }

/** For each open issue, the ids of these patterns' checks that apply to its asset: oldest first, at most `limit`. */
export async function findBrokenIds(
  db: Db,
  issues: readonly BreakingIssue[],
  limit: number,
): Promise<{ number: number; ids: Id[] }[]> {
  const { rows } = await sql<{ number: number; ids: Id[] }>`
    select asked.number, array(
      select c.id::text from unnest(asked."capecIds") as pattern
      -- by the pattern: the planner would go through all checks in the order of their ids
      cross join lateral (
        select * from requirement_check where company_id = issue.company_id and ${inOrderOf(sql`capec_id`, sql`pattern`)}) c
      cross join lateral ${byId(sql`requirement`, sql`c.company_id`, sql`c.requirement_id`)} r
      where (r.project_id is null or exists (
          select 1 from project_asset p
          where p.company_id = r.company_id and p.project_id = r.project_id and p.asset_id = issue.asset_id))
      order by c.id limit ${limit}) as ids
    from jsonb_to_recordset(${JSON.stringify(issues)}::jsonb)
      as asked(number int, "companyId" bigint, "issueId" bigint, "capecIds" int[])
    cross join lateral ${byId(sql`issue`, sql`asked."companyId"`, sql`asked."issueId"`)} issue
    where ${isOpenIssue}`.execute(db)
  return rows
}
