// The SQL of the facts that decide the state of checks: findings with a weakness, and scans of the assets concerned.

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { IssueStatus, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'

/** What a check looks at: the assets of a company, or of one of its projects. */
export type Scope = { companyId: Id; projectId: Id | null }

/** Findings of one scope that have exactly these weaknesses; many patterns are answered from one pass over them. */
export type Tally = Scope & {
  cwes: number[]
  open: number
  /** findings whose risk a person accepted: the weakness is there all the same */
  accepted: number
  /** the most severe open one, the newest of several */
  worstId: Id | null
  /** LOW is above NOTIFICATION, and so on */
  worstRank: number
}

/** Up to here the index by weakness is asked; comparing longer lists row by row costs more than counting all rows. */
const FEW_WEAKNESSES = 50

const hasOneOf = (cwes: readonly number[]): RawBuilder<boolean> =>
  cwes.length > FEW_WEAKNESSES ? sql`i.cwe_ids <> '{}'` : sql`i.cwe_ids && ${cwes}::int[]`

const rank = sql`case i.severity
  when 'CRITICAL' then 5 when 'HIGH' then 4 when 'MEDIUM' then 3 when 'LOW' then 2 else 1 end::bigint`

/** Counts open findings and accepted risks of each scope by their weaknesses, of those that may have one of `cwes`. */
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

/** The findings of these companies with these ids, as a reason names them. */
export async function findNamed(db: Db, companyIds: readonly Id[], ids: readonly Id[]): Promise<NamedFinding[]> {
  const { rows } = await sql<NamedFinding>`
    select id, title, severity, cwe_ids as cwes from issue
    where company_id = any(${companyIds}::bigint[]) and id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** What has been reported in a company: by scans of an integration (null: by none), in the name of a tool ('': of none). */
type Reporter = { companyId: Id; integration: string | null; tool: string; cwes: number[] }

/** The weaknesses, of those that may be of `cwes`, that each integration and tool has reported, closed or not: what each says itself, also as a witness. */
export async function findReporters(db: Db, companyIds: readonly Id[], cwes: readonly number[]): Promise<Reporter[]> {
  const { rows } = await sql<Reporter>`
    select i.company_id as "companyId", s.integration, i.tool_name as tool, coalesce(i.own_cwe_ids, i.cwe_ids) as cwes
    from finding i left join scan s on s.company_id = i.company_id and s.id = i.scan_id
    where i.company_id = any(${companyIds}::bigint[]) and ${hasOneOf(cwes)} and (s.id is not null or i.tool_name <> '')
    group by i.company_id, s.integration, i.tool_name, coalesce(i.own_cwe_ids, i.cwe_ids)`.execute(db)
  return rows
}

/** What looked at an asset: the last scan of an integration that succeeded, or the last whole report of a tool. */
export type Look = {
  kind: 'SCAN' | 'IMPORT'
  /** of the scan or the import */
  id: Id
  /** the integration, or the tool as its reports call it */
  by: string
  /** ISO 8601 */
  at: string
}

/** Who may have looked: integrations, whose scans count, and tools, whose whole reports count. */
export type Lookers = { integrations: readonly string[]; tools: readonly string[] }

export type ScopeAsset = Scope & {
  id: Id
  name: string
  /** when the last deploy was recorded, ISO 8601; null when none was */
  changedAt: string | null
  looks: Look[]
  /** when people last closed findings with these weaknesses as fixed, of those closed after one of the looks, and the scans that had reported them last */
  fixes: { cwes: number[]; at: string; scanIds: Id[] }[]
}

/** The assets of each scope with their last deploy and the last look of each of these integrations and tools. */
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
      select max(d.created_at) as at from deploy d where d.company_id = a.company_id and d.asset_id = a.id) changed
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

/** A page of open findings of a scope with one of the weaknesses; `after` is the id that the page before ended with. */
export type FindingsQuestion = Scope & {
  number: number
  cwes: readonly number[]
  limit: number
  offset: number
  after: Id | null
}

export type FindingsAnswer = { number: number; ids: Id[] }

/** The ids of each page, newest first; `cwes` are best those that open findings have, for they are few. */
export async function findFindings(
  db: Db,
  questions: readonly FindingsQuestion[],
  openStatuses: readonly IssueStatus[],
): Promise<FindingsAnswer[]> {
  const { rows } = await sql<FindingsAnswer>`
    select asked.number, array(
      select i.id::text from issue i
      where i.company_id = asked."companyId" and i.cwe_ids && asked.cwes
        and i.status = any(${openStatuses}::issue_status[])
        and (asked."projectId" is null or exists (
          select 1 from project_asset p
          where p.company_id = i.company_id and p.project_id = asked."projectId" and p.asset_id = i.asset_id))
        and (asked.after is null or i.id < asked.after)
      order by i.id desc limit asked."limit" offset asked."offset") as ids
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as asked(number int, "companyId" bigint,
      "projectId" bigint, cwes int[], "limit" int, "offset" int, after bigint)`.execute(db)
  return rows
}

/** An issue, by its company and id, with the attack patterns that use a weakness of it. */
type BreakingIssue = { number: number; companyId: Id; issueId: Id; capecIds: readonly number[] }

/** The ids of the checks of these patterns that look at the asset of each issue, where it is open; oldest first, `limit` of each at most. */
export async function findBrokenIds(
  db: Db,
  issues: readonly BreakingIssue[],
  limit: number,
): Promise<{ number: number; ids: Id[] }[]> {
  const { rows } = await sql<{ number: number; ids: Id[] }>`
    select asked.number, array(
      select c.id::text from requirement_check c
      join requirement r on r.company_id = c.company_id and r.id = c.requirement_id
      where c.company_id = issue.company_id and c.capec_id = any(asked."capecIds")
        and (r.project_id is null or exists (
          select 1 from project_asset p
          where p.company_id = r.company_id and p.project_id = r.project_id and p.asset_id = issue.asset_id))
      order by c.id limit ${limit}) as ids
    from jsonb_to_recordset(${JSON.stringify(issues)}::jsonb)
      as asked(number int, "companyId" bigint, "issueId" bigint, "capecIds" int[])
    join issue on issue.company_id = asked."companyId" and issue.id = asked."issueId" and ${isOpenIssue}`.execute(db)
  return rows
}
