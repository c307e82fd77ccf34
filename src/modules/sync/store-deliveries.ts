// The SQL of the log of exchanges with trackers.

import { sql } from 'kysely'
import { deleteSome } from '../../core/db/delete-some.ts'
import type { Db, Trx } from '../../core/db/open.ts'
import { newestFirst, type Page, type PageRequest } from '../../core/db/page.ts'
import type { Id } from '../../core/ids.ts'

export type Outcome = 'DONE' | 'SKIPPED' | 'REFUSED' | 'FAILED'
export type SyncAction = 'CREATE' | 'MOVE' | 'UPDATE_FINDING' | 'READ' | 'POLL' | 'NONE'

export type SyncDelivery = {
  companyId: Id
  id: Id
  integrationId: Id
  workItemId: Id | null
  issueId: Id | null
  action: SyncAction
  outcome: Outcome
  request: string | null
  answer: string | null
  reason: string | null
  /** milliseconds */
  duration: number
  at: string
}

const columns = [
  'company_id as companyId',
  'id',
  'integration_id as integrationId',
  'work_item_id as workItemId',
  'issue_id as issueId',
  sql<SyncAction>`action`.as('action'),
  sql<Outcome>`outcome`.as('outcome'),
  'request',
  'answer',
  'reason',
  'duration',
  'at',
] as const

/** The most characters stored of a request and of an answer. */
const LONGEST = 1_000
const cut = (text: string | null) => text?.slice(0, LONGEST) ?? null

export async function insertDelivery(db: Db | Trx, delivery: Omit<SyncDelivery, 'id' | 'at'>): Promise<void> {
  await db
    .insertInto('sync_delivery')
    .values({
      company_id: delivery.companyId,
      integration_id: delivery.integrationId,
      work_item_id: delivery.workItemId,
      issue_id: delivery.issueId,
      action: delivery.action,
      outcome: delivery.outcome,
      request: cut(delivery.request),
      answer: cut(delivery.answer),
      reason: cut(delivery.reason),
      duration: Math.round(delivery.duration),
    })
    .execute()
}

export type DeliveriesAsked = {
  integrationId: Id | null
  workItemId: Id | null
  outcomes: readonly Outcome[] | null
  /** whether to include successful exchanges that changed nothing */
  includeReads: boolean
}

/** The expression of the index. */
const isTold = sql<boolean>`not (action in ('READ', 'POLL') and outcome = 'DONE')`

export async function listDeliveries(
  db: Db,
  companyId: Id,
  { integrationId, workItemId, outcomes, includeReads }: DeliveriesAsked,
  page: PageRequest,
): Promise<Page<SyncDelivery>> {
  let query = db.selectFrom('sync_delivery').select(columns).where('company_id', '=', companyId)
  if (integrationId !== null) query = query.where('integration_id', '=', integrationId)
  if (workItemId !== null) query = query.where('work_item_id', '=', workItemId)
  if (outcomes !== null) query = query.where(sql<boolean>`outcome = any(${outcomes}::text[])`)
  if (!includeReads) query = query.where(isTold)
  return newestFirst(db, query, page, 'sync_delivery.id')
}

/** Deletes some entries that are older than so many days; returns how many. */
export const deleteOldDeliveries = (db: Db, days: number, most: number): Promise<number> =>
  deleteSome(db, sql`sync_delivery`, sql`at < now() - make_interval(days => ${days}::int)`, most)
