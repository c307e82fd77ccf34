// The SQL of scoring: the facts about each finding, the days that companies set, and computing many findings anew.

import { sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import { byId } from '../../core/db/by-id.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { isOpenIssue } from '../../core/db/open-issues.ts'
import type { IssueStatus, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { Impact } from './priority.ts'

/** What the worth of one finding follows from. `key` is `company id/issue id`. */
export type Worth = {
  key: string
  status: IssueStatus
  severity: SeverityCategory
  vulnerabilityIds: string[]
  epss: number | null
  isKnownExploited: boolean
  slaStartedAt: string | null
  slaDueAt: string | null
  closedAt: string | null
  exploitability: string
  audience: string | null
  businessImpact: string
}

export async function findWorths(db: Db, keys: readonly string[]): Promise<Worth[]> {
  const pairs = keys.map((key) => key.split('/'))
  const { rows } = await sql<Worth>`
    select issue.company_id || '/' || issue.id as key, issue.status, issue.severity,
           issue.vulnerability_ids as "vulnerabilityIds", issue.epss, issue.is_known_exploited as "isKnownExploited",
           issue.sla_started_at as "slaStartedAt", issue.sla_due_at as "slaDueAt", issue.closed_at as "closedAt",
           asset.exploitability, asset.audience, asset.business_impact as "businessImpact"
    from unnest(${pairs.map(([company]) => company)}::bigint[], ${pairs.map(([, id]) => id)}::bigint[])
      as wanted (company_id, id)
    cross join lateral ${byId(sql`issue`, sql`wanted.company_id`, sql`wanted.id`)} as issue
    join asset on asset.company_id = issue.company_id and asset.id = issue.asset_id`.execute(db)
  return rows
}

/** What is published of one vulnerability. */
export type Published = {
  id: string
  epss: number | null
  percentile: number | null
  isKnownExploited: boolean
  addedOn: string | null
  dueOn: string | null
  isRansomware: boolean
}

export async function findPublished(db: Db, ids: readonly string[]): Promise<Published[]> {
  const { rows } = await sql<Published>`
    select id, epss.score as epss, epss.percentile, known.cve is not null as "isKnownExploited",
           known.added_on as "addedOn", known.due_on as "dueOn", coalesce(known.is_ransomware, false) as "isRansomware"
    from unnest(${ids}::text[]) as id
    left join epss on epss.cve = id left join known_exploited as known on known.cve = id`.execute(db)
  return rows
}

/** `days` null: never due. */
export type SlaRule = { severity: SeverityCategory; businessImpact: Impact; days: number | null; isDefault: boolean }

/** All twenty, the worst first. */
export async function findSlaRules(db: Db, companyId: Id): Promise<SlaRule[]> {
  const { rows } = await sql<SlaRule>`
    select usual.severity, usual.business_impact as "businessImpact",
           case when policy.company_id is null then usual.days else policy.days end as days,
           policy.company_id is null as "isDefault"
    from sla_default as usual
    left join sla_policy as policy on policy.company_id = ${companyId} and policy.severity = usual.severity
      and policy.business_impact = usual.business_impact
    order by usual.severity desc, array_position(array['HIGH', 'MEDIUM', 'LOW', 'NOT_DEFINED'], usual.business_impact)`.execute(
    db,
  )
  return rows
}

/** Sets the company's own days to these, and to the usual ones what is not among them. */
export async function replaceSlaRules(
  trx: Trx,
  companyId: Id,
  rules: readonly Omit<SlaRule, 'isDefault'>[],
): Promise<void> {
  await sql`delete from sla_policy where company_id = ${companyId}`.execute(trx)
  await sql`
    insert into sla_policy (company_id, severity, business_impact, days)
    select ${companyId}::bigint, severity, "businessImpact", days
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb)
      as rule (severity severity_category, "businessImpact" text, days int)`.execute(trx)
}

/**
 * Values anew up to `most` open findings of the company, or of one of its assets, that come after the id; returns the last.
 * Waits for none of them, and fails, as isHeld tells, where somebody holds one.
 */
export async function revalueAfter(
  trx: Trx,
  companyId: Id,
  assetId: Id | null,
  after: Id,
  most: number,
): Promise<Id | null> {
  const ofAsset = assetId === null ? sql`` : sql`and issue.asset_id = ${assetId}`
  const { rows } = await sql<{ last: Id | null }>`
    with picked as materialized (
      select id from issue where company_id = ${companyId} ${ofAsset} and id > ${after} and ${isOpenIssue}
      order by id limit ${most} for no key update nowait),
    valued as (
      update issue set revalue_at = now() from picked where issue.company_id = ${anyCompany(companyId)} and issue.id = picked.id)
    select max(id) as last from picked`.execute(trx)
  return rows[0]?.last ?? null
}

/** Values anew up to `most` findings of any company that time alone has changed; returns how many. */
export async function revalueDue(trx: Trx, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as materialized (
      select company_id, id from issue where revalue_at <= now()
      order by revalue_at limit ${most} for no key update skip locked),
    valued as (
      update issue set revalue_at = now() from due
      where issue.company_id = due.company_id and issue.id = due.id returning 1)
    select count(*)::int as count from valued`.execute(trx)
  return rows[0]?.count ?? 0
}

export async function listCompanyIds(db: Db): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`select id from company order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Gives up to `most` findings of the company that name a vulnerability, after the id and of the lane, what is published now; only those that
 * differ are written. Returns the last id looked at and how many were written. Waits for none of them, and fails, as isHeld tells,
 * where somebody holds one.
 */
export async function applyPublished(
  trx: Trx,
  companyId: Id,
  after: Id,
  most: number,
  [lane, lanes]: [number, number],
): Promise<{ last: Id | null; written: number }> {
  const { rows } = await sql<{ last: Id | null; written: number }>`
    with picked as materialized (
      select id, vulnerability_ids from issue
      where company_id = ${companyId} and id > ${after} and id % ${lanes}::int = ${lane}::int and vulnerability_ids <> '{}'
      order by id limit ${most}),
    now_known as (
      select picked.id, max(epss.score) as epss, bool_or(known.cve is not null) as is_known
      from picked cross join unnest(picked.vulnerability_ids) as vulnerability
      left join epss on epss.cve = vulnerability left join known_exploited as known on known.cve = vulnerability
      group by picked.id),
    held as materialized (
      select issue.id, now_known.epss, now_known.is_known from issue join now_known on now_known.id = issue.id
      where issue.company_id = ${anyCompany(companyId)}
        and (issue.epss is distinct from now_known.epss or issue.is_known_exploited <> now_known.is_known)
      order by issue.id for no key update of issue nowait),
    written as (
      update issue set epss = held.epss, is_known_exploited = held.is_known
      from held where issue.company_id = ${anyCompany(companyId)} and issue.id = held.id returning 1)
    select (select max(id) from picked) as last, (select count(*)::int from written) as written`.execute(trx)
  return rows[0] ?? { last: null, written: 0 }
}
