// The SQL of work items as people list, request and retry them.

import { sql } from 'kysely'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { IssueStatus, SeverityCategory } from '../../core/db/tables.generated.ts'
import type { Id } from '../../core/ids.ts'
import { seenAmong } from '../access/service.ts'
import type { Viewer } from '../context.ts'
import type { ItemState } from './store.ts'

export type WorkItem = {
  companyId: Id
  id: Id
  integrationId: Id
  issueId: Id
  state: ItemState
  externalId: string | null
  url: string | null
  externalStatus: string | null
  externalAuthor: string | null
  agreedStatus: IssueStatus | null
  failure: string | null
  nextAttemptAt: string | null
  lastSyncedAt: string | null
  createdAt: string
}

const columns = [
  'company_id as companyId',
  'id',
  'integration_id as integrationId',
  'issue_id as issueId',
  sql<ItemState>`state`.as('state'),
  'external_id as externalId',
  'url',
  'seen_state as externalStatus',
  'seen_by as externalAuthor',
  'agreed_status as agreedStatus',
  'failure',
  sql<string | null>`case when asked > answered then due_at end`.as('nextAttemptAt'),
  'looked_at as lastSyncedAt',
  'created_at as createdAt',
] as const

/** The items with these ids that the viewer sees. */
export async function findItems(db: Db, viewer: Viewer, ids: readonly Id[]): Promise<WorkItem[]> {
  const items = db.selectFrom('work_item').select(columns)
  return items.where(seenAmong(viewer, sql`company_id`, sql`work_item.id`, ids)).execute()
}

export type ItemsAsked = { issueId: Id | null; integrationId: Id | null; states: readonly ItemState[] | null }

export async function listItems(
  db: Db,
  companyId: Id,
  { issueId, integrationId, states }: ItemsAsked,
  page: PageRequest,
): Promise<Page<WorkItem>> {
  let query = db.selectFrom('work_item').select(columns).where('company_id', '=', companyId)
  if (issueId !== null) query = query.where('issue_id', '=', issueId)
  if (integrationId !== null) query = query.where('integration_id', '=', integrationId)
  if (states !== null) query = query.where(sql<boolean>`state = any(${states}::text[])`)
  return newestFirst(db, query, page, 'work_item.id')
}

/** Creates the item of a finding in an integration, or schedules a look at it; an item whose card was deleted starts again. */
export async function saveItem(
  trx: Trx,
  row: { companyId: Id; integrationId: Id; issueId: Id; createdById: Id },
): Promise<{ item: WorkItem; isNew: boolean }> {
  await sql`
    insert into work_item (company_id, integration_id, issue_id, created_by)
    values (${row.companyId}, ${row.integrationId}, ${row.issueId}, ${row.createdById})
    on conflict (company_id, integration_id, issue_id) do update set
      asked = work_item.asked + 1, attempts = 0, due_at = now(),
      state = case when work_item.state = 'DELETED' then 'PENDING' else work_item.state end,
      external_id = case when work_item.state <> 'DELETED' then work_item.external_id end,
      url = case when work_item.state <> 'DELETED' then work_item.url end,
      place = case when work_item.state not in ('DELETED', 'PENDING') then work_item.place end,
      agreed_status = case when work_item.state not in ('DELETED', 'PENDING') then work_item.agreed_status end,
      agreed_state = case when work_item.state not in ('DELETED', 'PENDING') then work_item.agreed_state end`.execute(
    trx,
  )
  const item = await trx
    .selectFrom('work_item')
    .select([...columns, 'asked'])
    .where('company_id', '=', row.companyId)
    .where('integration_id', '=', row.integrationId)
    .where('issue_id', '=', row.issueId)
    .executeTakeFirstOrThrow()
  const { asked, ...rest } = item
  return { item: rest, isNew: asked === 1 }
}

/** Creates items for the asset's open findings that have none; returns how many. */
export async function insertItems(
  trx: Trx,
  row: { companyId: Id; integrationId: Id; assetId: Id; createdById: Id },
  minimumSeverity: SeverityCategory | null,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into work_item (company_id, integration_id, issue_id, created_by)
    select company_id, ${row.integrationId}::bigint, id, ${row.createdById}::bigint from issue
    where company_id = ${row.companyId} and asset_id = ${row.assetId}
      and status in ('CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION')
      and severity >= coalesce(${minimumSeverity}::severity_category, 'NOTIFICATION')
      and not exists (select from work_item as there where there.company_id = issue.company_id
        and there.integration_id = ${row.integrationId} and there.issue_id = issue.id)
    order by id limit ${most}
    on conflict do nothing`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** The integrations that are configured for an asset, by its own configuration or the company's. */
export async function findConfiguredFor(db: Db, companyId: Id, assetId: Id): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`
    select distinct integration_id as id from defect_tracker_configuration
    where company_id = ${companyId} and (asset_id is null or asset_id = ${assetId}) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Schedules looks at items with a failure, refusal or omission since then; refused moves are sent to the tracker again. Returns how many.
 */
export async function askAgain(trx: Trx, companyId: Id, integrationId: Id, since: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update work_item set asked = asked + 1, attempts = 0, due_at = now(),
      agreed_status = case when state = 'LINKED' and log.has_refusal and failure is not null then null else agreed_status end
    from (
      select work_item_id, bool_or(outcome = 'REFUSED' and action = 'MOVE') as has_refusal from sync_delivery
      where company_id = ${companyId} and integration_id = ${integrationId} and at >= ${since}::timestamptz
        and outcome <> 'DONE' and work_item_id is not null
      group by work_item_id) as log
    where company_id = ${companyId} and id = log.work_item_id and state <> 'DELETED'`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
