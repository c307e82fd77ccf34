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

/** Jobs of one integration run one after the other: its vendor takes one export at a time. */
export const queueOf = (companyId: Id, integrationId: Id): string => `scanner ${companyId}/${integrationId}`

type SyncAsked = { isWhole: boolean; confirmClose: boolean }
type Synced = { scanIds: Id[]; isSourceAsked: boolean }

/**
 * Asks every scanner of which the asset is a project for what it knows, and its repository where its branches stand; returns the
 * runs of scanners, those included that were under way. FAILED_PRECONDITION when there is neither.
 */
export async function syncAsset(context: Context, assetId: Id, asked: SyncAsked): Promise<Synced> {
  const { companyId } = await authorizeAsset(context, 'scans:write', assetId)
  return transaction(context.db, async (trx) => {
    const associations = await store.findAssociations(trx, companyId, assetId)
    const isSourceAsked = await lookAtSource(trx, companyId, assetId)
    if (associations.length === 0 && !isSourceAsked) {
      throw failedPrecondition('The asset is neither a repository nor a project of a scanner outside')
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

/** The run that waits or is under way, or a new one; one that waits takes over what is asked besides. */
async function ask(trx: Trx, association: store.Association, asked: SyncAsked, actor: AskedBy): Promise<Id> {
  const { companyId, assetId, type } = association
  const waiting = await store.lockWaiting(trx, association)
  if (waiting) return waiting.scanId
  const run = await openRun(trx, companyId, { assetId, integration: type })
  await store.saveWaiting(trx, association, { scanId: run.id, ...asked }, actor)
  await wake(trx, association, run.id)
  return run.id
}

const wake = (trx: Trx, { companyId, id, integrationId }: store.Association, scanId: Id): Promise<void> =>
  enqueue(trx, PULL_TASK, { companyId, id, scanId }, `pull ${companyId}/${id}`, queueOf(companyId, integrationId))

/** Hours after which everything is asked for again, so that what is absent is closed; a little less than a day. */
const WHOLE_HOURS = 23
const MOST_AT_ONCE = 500
/** Hours after which a pull that waits is woken again, in case its job is gone. */
const FORGOTTEN_HOURS = 6

/** Asks all scanners that are not being asked, or those of one company: for what changed, and once a day for everything. */
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

/** What scanners were told of decisions through an integration, newest first. */
export async function listScannerDeliveries(
  context: Context,
  integrationId: Id,
  page: PageRequest,
): Promise<Page<ScannerDelivery>> {
  const { companyId } = await getIntegration(context, integrationId)
  return listDeliveries(context.db, companyId, integrationId, page)
}
