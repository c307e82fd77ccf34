// The SQL of runs, and of how many findings each one touched.

import { type RawBuilder, sql } from 'kysely'
import { inOrderOf } from '../../core/db/in-order-of.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { boundedCount, newestFirst, offsetOf, type Page, type PageRequest, pageOf } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'
import { seenAmong, seenBy } from '../access/service.ts'
import type { ToolTypeCategory } from '../api.generated.ts'
import type { Viewer } from '../context.ts'
import type { ScanState } from './states.ts'

export type Scan = {
  companyId: Id
  id: Id
  assetId: Id
  integration: ToolTypeCategory
  status: ScanState
  externalVulnerabilityCount: number
  successCount: number
  failureCount: number
  failureReason: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** null until it has ended */
  durationInSeconds: number | null
}

const columns = [
  'company_id as companyId',
  'id',
  'asset_id as assetId',
  sql<ToolTypeCategory>`integration`.as('integration'),
  sql<ScanState>`status`.as('status'),
  'external_vulnerability_count as externalVulnerabilityCount',
  'success_count as successCount',
  'failure_count as failureCount',
  'failure_reason as failureReason',
  'created_at as createdAt',
  'started_at as startedAt',
  'finished_at as finishedAt',
  sql<number | null>`extract(epoch from finished_at - coalesce(started_at, created_at))::int`.as('durationInSeconds'),
] as const

export type ScanFilter = {
  assetIds: readonly Id[] | null
  statuses: readonly ScanState[] | null
  integrations: readonly ToolTypeCategory[] | null
  createdFrom: string | null
  createdTo: string | null
}

const sortColumns = {
  ID: 'id',
  CREATED_AT: 'created_at',
  FINISHED_AT: 'finished_at',
  STATUS: 'status',
  INTEGRATION: 'integration',
} as const

export type ScanOrder = { field: keyof typeof sortColumns; direction: 'asc' | 'desc' }

export async function listScans(
  db: Db,
  companyId: Id,
  filter: ScanFilter,
  order: readonly ScanOrder[],
  page: PageRequest,
): Promise<Page<Scan>> {
  let query = db.selectFrom('scan').select(columns).where('company_id', '=', companyId)
  for (const condition of conditionsOf(filter)) query = query.where(condition)
  if (order.length === 0) return newestFirst(db, query, page, 'scan.id')
  let ordered = query
  for (const { field, direction } of order) ordered = ordered.orderBy(sortColumns[field], direction)
  const rows = await ordered.orderBy('id', 'desc').limit(page.limit).offset(offsetOf(page)).execute()
  return pageOf(page, rows, await boundedCount(db, query, rows.length, page), ({ id }) => [id])
}

function conditionsOf(filter: ScanFilter): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = []
  if (filter.assetIds) conditions.push(sql`asset_id = any(${filter.assetIds}::bigint[])`)
  if (filter.statuses) conditions.push(sql`status = any(${filter.statuses}::text[])`)
  if (filter.integrations) conditions.push(sql`integration = any(${filter.integrations}::text[])`)
  if (filter.createdFrom !== null) conditions.push(sql`created_at >= ${filter.createdFrom}`)
  if (filter.createdTo !== null) conditions.push(sql`created_at <= ${filter.createdTo}`)
  return conditions
}

export async function findScan(db: Db, viewer: Viewer, id: Id): Promise<Scan | null> {
  const seen = db.selectFrom('scan').select(columns).where(seenBy(viewer, 'scan.company_id'))
  return (await seen.where('id', '=', id).executeTakeFirst()) ?? null
}

export async function findScans(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<Scan[]> {
  const scans = db.selectFrom('scan').select(columns)
  return scans.where(seenAmong(viewer, sql`company_id`, sql`scan.id`, ids)).execute()
}

export async function lockScan(trx: Trx, companyId: Id, id: Id): Promise<Scan | null> {
  const own = trx.selectFrom('scan').select(columns).where('company_id', '=', companyId).where('id', '=', id)
  return (await own.forUpdate().executeTakeFirst()) ?? null
}

/** The integration's run on the asset that has not ended, or null. */
export async function findUnfinished(
  db: Db,
  companyId: Id,
  assetId: Id,
  integration: ToolTypeCategory,
): Promise<Id | null> {
  const { rows } = await sql<{ id: Id }>`
    select id from scan where company_id = ${companyId} and asset_id = ${assetId} and integration = ${integration}
    and status in ('PENDING', 'RUNNING') order by id desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

export async function insertScan(
  trx: Trx,
  companyId: Id,
  scan: Pick<Scan, 'assetId' | 'integration' | 'externalVulnerabilityCount'> & { isPartial?: boolean },
): Promise<Scan> {
  return trx
    .insertInto('scan')
    .values({
      company_id: companyId,
      asset_id: scan.assetId,
      integration: scan.integration,
      external_vulnerability_count: scan.externalVulnerabilityCount,
      is_partial: scan.isPartial ?? false,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Moves a locked run to a state, and sets its times of start and end accordingly. */
export async function updateScan(
  trx: Trx,
  { companyId, id }: Scan,
  change: { status: ScanState; isEnded: boolean; externalVulnerabilityCount: number; failureReason: string | null },
): Promise<Scan> {
  return trx
    .updateTable('scan')
    .set({
      status: change.status,
      external_vulnerability_count: change.externalVulnerabilityCount,
      failure_reason: change.failureReason,
      started_at: change.status === 'RUNNING' ? sql`coalesce(started_at, now())` : sql`started_at`,
      finished_at: change.isEnded ? sql`coalesce(finished_at, now())` : sql`finished_at`,
      updated_at: sql`now()`,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

type Increase = { successCount: number; failureCount: number; failureReason: string | null }

/**
 * Adds to a run's counts and updates its state in one statement, so that concurrent increases lose nothing; null if it was canceled.
 * The reason of the first failure stays, and a failed run stays failed.
 */
export async function increaseCounts(trx: Trx, { companyId, id }: Scan, increase: Increase): Promise<Scan | null> {
  const { successCount, failureCount, failureReason } = increase
  const { rows } = await sql<Scan>`
    update scan set success_count = counted.success, failure_count = counted.failure, status = counted.status,
      failure_reason = coalesce(failure_reason, ${failureReason}),
      started_at = coalesce(started_at, now()),
      finished_at = case when counted.status = 'RUNNING' then null else coalesce(finished_at, now()) end,
      updated_at = now()
    from (
      select company_id, id, success, failure,
        case when status = 'FAILED' or failure > 0 then 'FAILED'
             when status = 'SUCCEEDED' then 'SUCCEEDED'
             when external = 0 and success = 0 or external > 0 and success >= external then 'SUCCEEDED'
             else 'RUNNING' end as status
      from (
        select company_id, id, status, external_vulnerability_count as external,
          least(success_count::bigint + ${successCount}, 2147483647)::int as success,
          least(failure_count::bigint + ${failureCount}, 2147483647)::int as failure
        from scan where company_id = ${companyId} and id = ${id} and status <> 'CANCELED' for update) added) counted
    where scan.company_id = counted.company_id and scan.id = counted.id
    returning scan.company_id as "companyId", scan.id, scan.asset_id as "assetId", scan.integration, scan.status,
      scan.external_vulnerability_count as "externalVulnerabilityCount", scan.success_count as "successCount",
      scan.failure_count as "failureCount", scan.failure_reason as "failureReason", scan.created_at as "createdAt",
      scan.started_at as "startedAt", scan.finished_at as "finishedAt",
      extract(epoch from scan.finished_at - coalesce(scan.started_at, scan.created_at))::int as "durationInSeconds"`.execute(
    trx,
  )
  return rows[0] ?? null
}

/** Sets how many findings the run has reported so far, whatever its state: a canceled one keeps what was imported. */
export async function countReported(trx: Trx, companyId: Id, id: Id, count: number): Promise<void> {
  await sql`update scan set success_count = ${count}, updated_at = now()
    where company_id = ${companyId} and id = ${id}`.execute(trx)
}

/** Ends a run with its counts, unless it has ended. */
export async function endScan(
  trx: Trx,
  companyId: Id,
  id: Id,
  end: { status: ScanState; external: number; success: number; failures: number; reason: string | null },
): Promise<void> {
  await sql`
    update scan set status = ${end.status}, external_vulnerability_count = ${end.external}, success_count = ${end.success},
      failure_count = ${end.failures}, failure_reason = ${end.reason}, started_at = coalesce(started_at, now()),
      finished_at = now(), updated_at = now()
    where company_id = ${companyId} and id = ${id} and status in ('PENDING', 'RUNNING')`.execute(trx)
}

export async function deleteScan(trx: Trx, { companyId, id }: Scan): Promise<void> {
  await trx.deleteFrom('scan').where('company_id', '=', companyId).where('id', '=', id).execute()
}

const issuesOfScan = sql`(
  select company_id, id from issue where company_id = scan.company_id and ${inOrderOf(sql`scan_id`, sql`scan.id`)})`

export type FindingCounts = { id: Id; created: number; closed: number; reported: number }

/** For each run, how many findings it reported first, closed as fixed, and reported in all. */
export async function countFindings(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<FindingCounts[]> {
  const { rows } = await sql<FindingCounts>`
    select scan.id, born.count as created, closed.count as closed, greatest(reported.count, scan.success_count) as reported
    from scan
    cross join lateral (
      select count(*)::int as count from (
        select issue_id from issue_event e
        where e.company_id = scan.company_id and e.scan_id = scan.id and e.action = 'CREATED'
        union
        select i.id from ${issuesOfScan} i where not exists (
          select from issue_event e
          where e.company_id = i.company_id and e.issue_id = i.id and e.action = 'CREATED' and e.scan_id is not null)) each
    ) born
    cross join lateral (
      select count(distinct issue_id)::int as count from issue_event e
      where e.company_id = scan.company_id and e.scan_id = scan.id and e.status = 'FIX_ACCEPTED'
      and e.previous_status is distinct from e.status) closed
    cross join lateral (
      select count(*)::int as count from (
        select issue_id from issue_event e
        where e.company_id = scan.company_id and e.scan_id = scan.id and e.status is distinct from 'FIX_ACCEPTED'
        union
        select i.id from ${issuesOfScan} i) each) reported
    where ${seenAmong(viewer, sql`scan.company_id`, sql`scan.id`, ids)}`.execute(db)
  return rows
}
