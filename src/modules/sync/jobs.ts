// The worker's tasks for trackers: finds due work every minute, and synchronises one integration at a time.

import { inBatches } from '../../core/batches.ts'
import { type Db, type Trx, transaction } from '../../core/db/open.ts'
import { type Id, idsIn } from '../../core/ids.ts'
import { enqueue, enqueueIn } from '../../core/jobs.ts'
import type { Task } from '../types.ts'
import { syncIntegration } from './run.ts'
import { findDueOf, findRestless } from './store.ts'
import { deleteOldDeliveries } from './store-deliveries.ts'

const SYNC_TASK = 'sync-tracker'

/** Minutes between two polls for changes. */
const POLL_MINUTES = 5
const DAYS_KEPT = 30
const BATCH = 10_000

const nameOf = (companyId: Id, integrationId: Id) => `tracker ${companyId}/${integrationId}`

/** Enqueues the synchronisation of an integration, which never runs twice at the same time. */
export const wakeTracker = (trx: Trx, companyId: Id, integrationId: Id): Promise<void> => {
  const name = nameOf(companyId, integrationId)
  return enqueue(trx, SYNC_TASK, { companyId, integrationId }, name, name)
}

/** Seconds for which changes of findings are collected before their cards are synchronised. */
const COLLECTED = 2

/** Enqueues synchronisation soon after an event of a finding, instead of at the next minute. */
export async function wakeTrackersOf(trx: Trx, companies: readonly Id[]): Promise<void> {
  for (const { companyId, integrationId } of await findDueOf(trx, companies)) {
    const name = nameOf(companyId, integrationId)
    await enqueueIn(trx, COLLECTED, SYNC_TASK, { companyId, integrationId }, name, name)
  }
}

async function wakeRestless(db: Db): Promise<void> {
  const restless = await findRestless(db, POLL_MINUTES)
  await transaction(db, async (trx) => {
    for (const { companyId, integrationId } of restless) await wakeTracker(trx, companyId, integrationId)
  })
}

export const tasks: readonly Task[] = [
  {
    name: SYNC_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'integrationId')
      if (key) await syncIntegration(parts, key.companyId, key.integrationId)
    },
  },
  { name: 'wake-trackers', cron: '* * * * *', run: ({ db }) => wakeRestless(db) },
  {
    name: 'forget-sync-deliveries',
    cron: '41 * * * *',
    run: async ({ db }) => {
      await inBatches(BATCH, (most) => deleteOldDeliveries(db, DAYS_KEPT, most))
    },
  },
]
