// The SQL of decisions on their way to scanners; a database trigger writes each one together with the decision itself.

import { sql } from 'kysely'
import { anyCompany } from '../../core/db/any-company.ts'
import { deleteSome } from '../../core/db/delete-some.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { IssueStatus } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import type { FindingType } from '../../reports/types.ts'

type DeliveryState = 'PENDING' | 'DELIVERED' | 'UNSUPPORTED' | 'GIVEN_UP' | 'SUPERSEDED'

export type ScannerDelivery = {
  companyId: Id
  id: Id
  issueId: Id
  status: IssueStatus
  reason: string
  riskAcceptedUntil: string | null
  state: DeliveryState
  attempts: number
  nextAttemptAt: string | null
  request: string | null
  failure: string | null
  createdAt: string
  finishedAt: string | null
}

export async function listDeliveries(
  db: Db,
  companyId: Id,
  integrationId: Id,
  page: PageRequest,
): Promise<Page<ScannerDelivery>> {
  const own = db
    .selectFrom('scanner_delivery')
    .select([
      'company_id as companyId',
      'id',
      'issue_id as issueId',
      'status',
      'reason',
      'expires_at as riskAcceptedUntil',
      sql<DeliveryState>`state`.as('state'),
      'attempts',
      sql<string | null>`case when state = 'PENDING' then next_attempt_at end`.as('nextAttemptAt'),
      'request',
      'failure',
      'created_at as createdAt',
      'finished_at as finishedAt',
    ])
    .where('company_id', '=', companyId)
    .where(
      sql<boolean>`external_project_id in (
        select id from external_project where company_id = ${companyId} and integration_id = ${integrationId})`,
    )
  return newestFirst(db, own, page, 'scanner_delivery.id')
}

/** The integration of the scanner. */
export type ScannerKey = { companyId: Id; id: Id }

export type Due = {
  companyId: Id
  id: Id
  issueId: Id
  externalId: string
  status: 'FALSE_POSITIVE' | 'RISK_ACCEPTED' | 'IDENTIFIED'
  reason: string
  expiresAt: string | null
  attempts: number
  /** hours since the decision was made */
  age: number
}

const waiting = ({ companyId, id }: ScannerKey) => sql`
  from scanner_delivery as delivery
  join external_project as project on project.company_id = delivery.company_id
    and project.id = delivery.external_project_id and project.integration_id = ${id}
  where delivery.company_id = ${companyId} and state = 'PENDING'`

/** Decisions that are due, those first that have been for longest: one that failed before goes behind those that came in the meantime. */
export async function findDue(db: Db, key: ScannerKey, most: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select delivery.company_id as "companyId", delivery.id, issue_id as "issueId", project.external_id as "externalId",
      status, reason, expires_at as "expiresAt", attempts,
      extract(epoch from now() - delivery.created_at)::float8 / 3600 as age
    ${waiting(key)} and next_attempt_at <= now() order by next_attempt_at, delivery.id limit ${most}`.execute(db)
  return rows
}

/** Seconds until the next decision is due, 0 or less if one is; null if none waits. */
export async function findWait(db: Db, key: ScannerKey): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from min(next_attempt_at) - now())::float8 as seconds ${waiting(key)}`.execute(db)
  return rows[0]?.seconds ?? null
}

type Known = { key: string; ruleId: string; type: FindingType }

/** The findings of the issue, its own and those of its witnesses, with their ids in the tools. */
export async function findKnown(db: Db, companyId: Id, issueId: Id): Promise<Known[]> {
  const { rows } = await sql<Known>`
    select original_issue_id as key, rule as "ruleId", type from (
      select id, original_issue_id, rule, type from finding where company_id = ${anyCompany(companyId)} and id = ${issueId}
      union all
      select id, original_issue_id, rule, type from finding
      where company_id = ${anyCompany(companyId)} and merged_into_id = ${issueId} offset 0) as one
    where original_issue_id is not null order by id`.execute(db)
  return rows
}

type DeliveryEnd =
  | { state: 'DELIVERED'; request: string; failure: null }
  | { state: 'UNSUPPORTED' | 'GIVEN_UP'; request: null; failure: string }

export async function endDelivery(db: Db | Trx, { companyId, id }: Due, end: DeliveryEnd): Promise<void> {
  await sql`
    update scanner_delivery set state = ${end.state}, request = ${end.request}, failure = ${end.failure},
      attempts = attempts + 1, finished_at = now()
    where company_id = ${companyId} and id = ${id} and state = 'PENDING'`.execute(db)
}

/** Schedules another attempt after so many seconds. */
export async function postpone(db: Db | Trx, { companyId, id }: Due, seconds: number, failure: string): Promise<void> {
  await sql`
    update scanner_delivery set attempts = attempts + 1, failure = ${failure},
      next_attempt_at = now() + make_interval(secs => ${seconds}::float8)
    where company_id = ${companyId} and id = ${id} and state = 'PENDING'`.execute(db)
}

/** Ends a delivery for which the scanner has no finding, so that there was nothing to send. */
export async function deleteDelivery(db: Db, { companyId, id }: Due): Promise<void> {
  await sql`delete from scanner_delivery where company_id = ${companyId} and id = ${id}`.execute(db)
}

/** Integrations for which a decision is due. */
export async function findScannersDue(db: Db): Promise<ScannerKey[]> {
  const { rows } = await sql<ScannerKey>`
    select distinct delivery.company_id as "companyId", project.integration_id as id
    from scanner_delivery as delivery
    join external_project as project on project.company_id = delivery.company_id
      and project.id = delivery.external_project_id
    where state = 'PENDING' and next_attempt_at <= now()`.execute(db)
  return rows
}

/** Deletes deliveries that ended so many days ago, up to the limit of one statement; returns how many, so that the caller can repeat it. */
export const deleteOldDeliveries = (db: Db, days: number, most: number): Promise<number> =>
  deleteSome(
    db,
    sql`scanner_delivery`,
    sql`state <> 'PENDING' and finished_at < now() - make_interval(days => ${days}::int)`,
    most,
  )
