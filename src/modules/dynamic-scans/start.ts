// Starts a dynamic scan, by hand or on schedule: the run, its record and its job are written in one transaction.

import { type Db, type Trx, transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import type { Log } from '../../core/log.ts'
import { dueBy } from '../../core/schedules.ts'
import { audit } from '../access/service.ts'
import { authorizeAsset } from '../assets/service.ts'
import type { Context } from '../context.ts'
import { findScheduled, type OpenedDast, openDast, takeMinute } from '../scans/service.ts'
import { insertDynamicRun } from './store.ts'

/** The worker's task that runs a scan: `{ companyId, scanId }`. */
export const SCAN_TASK = 'dynamic-scan'

/** Starts a dynamic scan; FAILED_PRECONDITION without a target, or while another scan of the asset is running. */
export async function startPlatformDast(context: Context, assetId: Id): Promise<OpenedDast> {
  const { companyId } = await authorizeAsset(context, 'scans:write', assetId)
  return transaction(context.db, async (trx) => {
    const started = await start(trx, companyId, assetId, context.viewer.userId)
    const { controlSyncStatus } = started
    const object = `ControlSyncStatus ${controlSyncStatus.id}`
    await audit(trx, context, { companyId, object, after: controlSyncStatus })
    return started
  })
}

/** Starts the scans that are due in this minute, on behalf of the person who set the schedule. */
export async function startScheduled({ db, log }: { db: Db; log: Log }): Promise<void> {
  const now = new Date()
  for (const scheduled of await findScheduled(db)) {
    if (!dueBy(scheduled.schedule)(now)) continue
    const { companyId, assetId, scheduledBy } = scheduled
    await transaction(db, async (trx) => {
      if (await takeMinute(trx, scheduled)) await start(trx, companyId, assetId, scheduledBy)
    }).catch((err: unknown) => {
      // a scan that is still running is no error: the next due minute tries again
      if (!(err instanceof ApplicationError)) throw err
      log.info({ assetId, reason: err.message }, 'A scan that was due was not started')
    })
  }
}

/** `startedBy` null: the user no longer exists. */
async function start(trx: Trx, companyId: Id, assetId: Id, startedBy: Id | null): Promise<OpenedDast> {
  const opened = await openDast(trx, companyId, assetId)
  const key = { companyId, scanId: opened.controlSyncStatus.id }
  await insertDynamicRun(trx, key, opened.scannerConfiguration.targetUrl, startedBy)
  await enqueue(trx, SCAN_TASK, key)
  return opened
}
