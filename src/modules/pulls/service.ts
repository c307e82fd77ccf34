// Pulls from scanners: who may ask for one, and which start by themselves.

import type { Db } from '../../core/db/open.ts'
import { type Trx, transaction } from '../../core/db/open.ts'
import type { Page, PageRequest } from '../../core/db/page.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import { audit } from '../access/service.ts'
import { authorizeAsset } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { type AskedBy, askedByOf, askedByProgram } from '../imports/service.ts'
import { getIntegration } from '../integrations/service.ts'
import { openRun } from '../scans/service.ts'
import { lookAtSource } from '../sources/service.ts'
import * as store from './store.ts'
import { listDeliveries, type ScannerDelivery } from './store-deliveries.ts'

export type { ScannerDelivery } from './store-deliveries.ts'

export const PULL_TASK = 'pull-scanner'

/** Jobs of one integration run one after another, because its vendor allows one export at a time. */
export const queueOf = (companyId: Id, integrationId: Id): string => `scanner ${companyId}/${integrationId}`

type SyncAsked = { isWhole: boolean; confirmClose: boolean }
type Synced = { scanIds: Id[]; isSourceAsked: boolean }

/**
 * Pulls from every scanner that the asset is linked to, and looks for new commits in its repository. Returns the runs of the scanners,
 * including those that were already in progress. FAILED_PRECONDITION if the asset is linked to neither.
 */
export async function syncAsset(context: Context, assetId: Id, asked: SyncAsked): Promise<Synced> {
  const { companyId } = await authorizeAsset(context, 'scans:write', assetId)
  return transaction(context.db, async (trx) => {
    const associations = await store.findAssociations(trx, companyId, assetId)
    const isSourceAsked = await lookAtSource(trx, companyId, assetId)
    if (associations.length === 0 && !isSourceAsked) {
      throw failedPrecondition('The asset is neither a repository nor a project of an external scanner')
    }
    const actor = askedByOf(context)
    const scanIds: Id[] = []
    for (const association of associations) scanIds.push(await ask(trx, association, asked, actor))
    await audit(trx, context, {
      companyId,
      object: `Asset ${assetId}`,
      after: { ...asked, controlSyncStatuses: scanIds },
    })
    return { scanIds, isSourceAsked }
  })
}

/** The run that is waiting or in progress, else a new one. One that has not begun then does what either request asks for. */
async function ask(trx: Trx, association: store.Association, asked: SyncAsked, actor: AskedBy): Promise<Id> {
  const { companyId, assetId, type } = association
  const waiting = await store.lockWaiting(trx, association)
  if (waiting) {
    await store.widenWaiting(trx, association, asked)
    return waiting.scanId
  }
  const run = await openRun(trx, companyId, { assetId, integration: type })
  await store.saveWaiting(trx, association, { scanId: run.id, ...asked }, actor)
  await wake(trx, association, run.id)
  return run.id
}

const wake = (trx: Trx, { companyId, id, integrationId }: store.Association, scanId: Id): Promise<void> =>
  enqueue(trx, PULL_TASK, { companyId, id, scanId }, `pull ${companyId}/${id}`, queueOf(companyId, integrationId))

/** Hours after which all findings are pulled again, so that those that are gone are closed; a little less than a day. */
const WHOLE_HOURS = 23
const MOST_AT_ONCE = 500
/** Hours after which a waiting pull is enqueued again, in case its job is gone. */
const FORGOTTEN_HOURS = 6

/** Starts pulls from all scanners, or those of one company, that have none in progress: of changes, and once a day of everything. */
export async function pullDue(db: Db, companyId: Id | null = null): Promise<number> {
  const due = await store.findDue(db, WHOLE_HOURS, MOST_AT_ONCE, companyId)
  for (const { isWhole, userId, email, name, ...association } of due) {
    const actor = askedByProgram({ userId, email, name }, '', PULL_TASK)
    await transaction(db, (trx) => ask(trx, association, { isWhole, confirmClose: false }, actor))
  }
  const forgotten = await store.findForgotten(db, FORGOTTEN_HOURS)
  await transaction(db, async (trx) => {
    for (const { scanId, ...association } of forgotten) await wake(trx, association, scanId)
  })
  return due.length
}

/** The decisions sent to a scanner through an integration, newest first. */
export async function listScannerDeliveries(
  context: Context,
  integrationId: Id,
  page: PageRequest,
): Promise<Page<ScannerDelivery>> {
  const { companyId } = await getIntegration(context, integrationId)
  return listDeliveries(context.db, companyId, integrationId, page)
}
