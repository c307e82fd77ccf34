// Work items in trackers: who may see, request and retry them.

import { transaction } from '../../core/db/open.ts'
import { openStatuses } from '../../core/db/open-issues.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import type { SeverityCategory } from '../../core/db/tables.generated.ts'
import { badUserInput, failedPrecondition, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit, authorize } from '../access/service.ts'
import { authorizeAsset } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { authorizeIntegration } from '../integrations/service.ts'
import { authorizeIssue } from '../issues/service.ts'
import { authorizeTracker } from './authorize.ts'
import { wakeTracker } from './jobs.ts'
import * as deliveries from './store-deliveries.ts'
import * as store from './store-items.ts'

export { createTrackerWebhook } from './hooks.ts'
export { type PreviewStep, previewSync } from './preview.ts'
export type { SyncDelivery } from './store-deliveries.ts'

/** The most items requested by one call. */
const MOST_AT_ONCE = 1_000

/** Work items by id; only those that the viewer sees. */
export const loadWorkItems = async (context: Context, ids: readonly string[]) =>
  new Map((await store.findItems(context.db, context.viewer, ids)).map((item) => [item.id, item]))

export async function listWorkItems(
  context: Context,
  companyId: Id,
  asked: store.ItemsAsked,
  page: PageRequest,
): Promise<Page<store.WorkItem>> {
  await authorize(context, 'integrations:read', companyId)
  return store.listItems(context.db, companyId, asked, page)
}

export async function listDeliveries(
  context: Context,
  companyId: Id,
  asked: deliveries.DeliveriesAsked,
  page: PageRequest,
): Promise<Page<deliveries.SyncDelivery>> {
  await authorize(context, 'integrations:read', companyId)
  return deliveries.listDeliveries(context.db, companyId, asked, page)
}

/** FAILED_PRECONDITION if the asset has no tracker, BAD_USER_INPUT if it has several and none is named, NOT_FOUND if it lacks the named one. */
async function trackerFor(context: Context, companyId: Id, assetId: Id, integrationId: Id | null): Promise<Id> {
  const configured = await store.findConfiguredFor(context.db, companyId, assetId)
  if (integrationId !== null) {
    const named = await authorizeIntegration(context, 'integrations:read', integrationId)
    if (named.companyId !== companyId) throw notFound('Integration', integrationId)
    if (configured.includes(integrationId)) return integrationId
    throw failedPrecondition(`No board or list of the integration ${integrationId} is configured for the asset`)
  }
  const [only, second] = configured
  if (only === undefined) throw failedPrecondition('No board or list is configured for the asset or the company')
  if (second === undefined) return only
  throw badUserInput('Several trackers are configured; integrationId says which one', 'input.integrationId')
}

/** FAILED_PRECONDITION for a finding that is not open. */
export async function createWorkItem(context: Context, issueId: Id, integrationId: Id | null): Promise<store.WorkItem> {
  const issue = await authorizeIssue(context, 'issues:write', issueId)
  const { companyId } = issue
  const tracker = await trackerFor(context, companyId, issue.assetId, integrationId)
  if (!openStatuses.includes(issue.status)) throw failedPrecondition(`The finding is ${issue.status}, not open`)
  return transaction(context.db, async (trx) => {
    const createdById = context.viewer.userId
    const { item, isNew } = await store.saveItem(trx, { companyId, integrationId: tracker, issueId, createdById })
    const after = { issueId, integrationId: tracker, isNew }
    await audit(trx, context, { companyId, object: `WorkItem ${item.id}`, after })
    await wakeTracker(trx, companyId, tracker)
    return item
  })
}

/** Returns how many findings get their first card. */
export async function createWorkItems(
  context: Context,
  assetId: Id,
  integrationId: Id | null,
  minimumSeverity: SeverityCategory | null,
): Promise<number> {
  const { companyId } = await authorizeAsset(context, 'issues:write', assetId)
  const tracker = await trackerFor(context, companyId, assetId, integrationId)
  return transaction(context.db, async (trx) => {
    const row = { companyId, integrationId: tracker, assetId, createdById: context.viewer.userId }
    const count = await store.insertItems(trx, row, minimumSeverity, MOST_AT_ONCE)
    const after = { integrationId: tracker, minimumSeverity, workItems: count }
    await audit(trx, context, { companyId, object: `Asset ${assetId}`, after })
    await wakeTracker(trx, companyId, tracker)
    return count
  })
}

export async function replaySync(context: Context, integrationId: Id, since: string): Promise<number> {
  const { companyId } = await authorizeTracker(context, integrationId)
  return transaction(context.db, async (trx) => {
    const count = await store.askAgain(trx, companyId, integrationId, since)
    await audit(trx, context, { companyId, object: `Integration ${integrationId}`, after: { since, workItems: count } })
    await wakeTracker(trx, companyId, integrationId)
    return count
  })
}

export async function syncTracker(context: Context, integrationId: Id): Promise<void> {
  const { companyId } = await authorizeTracker(context, integrationId)
  await transaction(context.db, async (trx) => {
    await audit(trx, context, { companyId, object: `Integration ${integrationId}`, after: { isSynchronised: true } })
    await wakeTracker(trx, companyId, integrationId)
  })
}
