// The SQL of the facts that decide the state of checks: findings with a weakness, and scans of the assets looked at.

import { sql } from 'kysely'
import type { Db } from '../../core/db/open.ts'
import { COUNT_LIMIT } from '../../core/db/page.ts'
import type { IssueStatus, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'

/** What a check looks at: the assets of a company, or of one of its projects. */
export type Scope = { companyId: Id; projectId: Id | null }

/** A question about the findings of a scope with any of the weaknesses; `number` names it in the answer. */
export type Question = Scope & { number: number; cwes: readonly number[] }

export type OpenFindings = {
  number: number
  open: number
  /** findings whose risk a person accepted: the weakness is there all the same */
  accepted: number
  worst: { id: Id; title: string; severity: SeverityCategory; cwes: number[] } | null
}

const asked = (questions: readonly Question[]) => sql`
  jsonb_to_recordset(${JSON.stringify(questions)}::jsonb)
    as asked(number int, "companyId" bigint, "projectId" bigint, cwes int[])`

/** True for an issue `i` within the scope of the question. */
const concerns = sql`i.company_id = asked."companyId" and i.cwe_ids && asked.cwes and (asked."projectId" is null or exists (
  select 1 from project_asset p
  where p.company_id = i.company_id and p.project_id = asked."projectId" and p.asset_id = i.asset_id))`

/** One row a question: how many findings are open or accepted, and the most severe open one, the newest of several. */
export async function findOpenFindings(
  db: Db,
  questions: readonly Question[],
  openStatuses: readonly IssueStatus[],
): Promise<OpenFindings[]> {
  const { rows } = await sql<OpenFindings>`
    select asked.number, counted.open, counted.accepted, worst.issue as worst
    from ${asked(questions)}
    cross join lateral (
      select count(*) filter (where i.status <> 'RISK_ACCEPTED')::int as open,
             count(*) filter (where i.status = 'RISK_ACCEPTED')::int as accepted
      from issue i
      where ${concerns} and (i.status = any(${openStatuses}::issue_status[]) or i.status = 'RISK_ACCEPTED')) counted
    left join lateral (
      select jsonb_build_object('id', i.id::text, 'title', i.title, 'severity', i.severity, 'cwes',
        array(select unnest(i.cwe_ids) intersect select unnest(asked.cwes) order by 1)) as issue
      from issue i where ${concerns} and i.status = any(${openStatuses}::issue_status[])
      order by i.severity desc, i.id desc limit 1) worst on counted.open > 0`.execute(db)
  return rows
}

export type Evidence = {
  number: number
  /** integrations a scan of which has reported such a weakness in this company */
  integrations: string[]
  /** asset → when a finding with such a weakness was last closed as fixed there, ISO 8601 */
  fixedAt: Record<Id, string>
}

/** One row a question: which tools are known to look for the weaknesses, and when each asset was last rid of one. */
export async function findEvidence(db: Db, questions: readonly Question[]): Promise<Evidence[]> {
  const { rows } = await sql<Evidence>`
    select asked.number, reported.integrations, coalesce(fixed.at, '{}'::jsonb) as "fixedAt"
    from ${asked(questions)}
    cross join lateral (
      select coalesce(array_agg(distinct s.integration order by s.integration), '{}') as integrations
      from issue i join scan s on s.company_id = i.company_id and s.id = i.scan_id
      where i.company_id = asked."companyId" and i.cwe_ids && asked.cwes) reported
    cross join lateral (
      select jsonb_object_agg(asset_id, at) as at from (
        select i.asset_id, max(i.closed_at) as at from issue i
        where ${concerns} and i.status = 'FIX_ACCEPTED' and i.closed_at is not null group by i.asset_id) each) fixed`.execute(
    db,
  )
  return rows
}

/** The last scan of an integration that succeeded on an asset; `finishedAt` in ISO 8601. */
export type FinishedScan = { id: Id; integration: string; finishedAt: string }

export type ScopeAsset = {
  number: number
  id: Id
  name: string
  /** when the last deploy was recorded, ISO 8601; null when none was */
  changedAt: string | null
  scans: FinishedScan[]
}

/** The assets of each scope (`number` names it) with their last deploy and, of each integration, the last good scan. */
export async function findScopeAssets(
  db: Db,
  scopes: readonly (Scope & { number: number })[],
  integrations: readonly string[],
): Promise<ScopeAsset[]> {
  const { rows } = await sql<ScopeAsset>`
    select asked.number, a.id, a.name, changed.at as "changedAt", coalesce(scanned.scans, '[]'::jsonb) as scans
    from jsonb_to_recordset(${JSON.stringify(scopes)}::jsonb) as asked(number int, "companyId" bigint, "projectId" bigint)
    join asset a on a.company_id = asked."companyId" and (asked."projectId" is null or exists (
      select 1 from project_asset p
      where p.company_id = a.company_id and p.project_id = asked."projectId" and p.asset_id = a.id))
    cross join lateral (
      select max(d.created_at) as at from deploy d where d.company_id = a.company_id and d.asset_id = a.id) changed
    cross join lateral (
      select jsonb_agg(jsonb_build_object('id', id::text, 'integration', integration, 'finishedAt', finished_at)) as scans
      from (
        select distinct on (s.integration) s.id, s.integration, s.finished_at from scan s
        where s.company_id = a.company_id and s.asset_id = a.id and s.status = 'SUCCEEDED' and s.finished_at is not null
          and s.integration = any(${integrations}::text[])
        order by s.integration, s.finished_at desc) last) scanned
    order by a.id`.execute(db)
  return rows
}

/** A page of the findings that break a check; `after` is the id that the page before ended with. */
export type FindingsQuestion = Question & { limit: number; offset: number; after: Id | null }

export type FindingsAnswer = { number: number; ids: Id[]; total: number }

/** The ids of each page, newest first, and how many there are, counted no further than one above COUNT_LIMIT. */
export async function findFindings(
  db: Db,
  questions: readonly FindingsQuestion[],
  openStatuses: readonly IssueStatus[],
): Promise<FindingsAnswer[]> {
  const { rows } = await sql<FindingsAnswer>`
    select asked.number, page.ids, counted.total
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as asked(number int, "companyId" bigint,
      "projectId" bigint, cwes int[], "limit" int, "offset" int, after bigint)
    cross join lateral (
      select array(
        select i.id::text from issue i
        where ${concerns} and i.status = any(${openStatuses}::issue_status[])
          and (asked.after is null or i.id < asked.after)
        order by i.id desc limit asked."limit" offset asked."offset") as ids) page
    cross join lateral (
      select count(*)::int as total from (
        select 1 from issue i where ${concerns} and i.status = any(${openStatuses}::issue_status[])
        limit ${COUNT_LIMIT + 1}) matching) counted`.execute(db)
  return rows
}
