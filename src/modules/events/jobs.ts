// The worker's tasks for events: sends what waits for webhooks and channels, and deletes what is old.

import { inBatches } from '../../core/batches.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import { idsIn } from '../../core/ids.ts'
import { enqueue } from '../../core/jobs.ts'
import type { Task } from '../types.ts'
import { deliverWebhook } from './deliver.ts'
import { sendNotifications } from './notify.ts'
import { DELIVER_TASK, NOTIFY_TASK, wakeWebhook } from './relay.ts'
import { deleteOldEvents } from './store.ts'
import { deleteFinished, findWaiting, giveUpOverdue } from './store-deliveries.ts'
import { deleteUntold, findDigests } from './store-notices.ts'

/** Days for which events can be read again, and deliveries looked up. */
const EVENTS_KEPT = 7
const LASTING_KEPT = 90
const DELIVERIES_KEPT = 30
/** Hours after which unsent notices are deleted; longer than the time between two digests plus a day of retries. */
const UNTOLD_KEPT = 72
const BATCH = 10_000

/** Enqueues jobs for deliveries whose job was lost, and gives up those that waited for too long. */
async function lookAfterDeliveries(db: Db): Promise<void> {
  await inBatches(BATCH, (most) => giveUpOverdue(db, most))
  const waiting = await findWaiting(db)
  await transaction(db, async (trx) => {
    for (const { companyId, id } of waiting) await wakeWebhook(trx, companyId, id)
  })
}

async function sendDigests(db: Db): Promise<void> {
  const due = await findDigests(db)
  await transaction(db, async (trx) => {
    for (const { companyId, id } of due)
      await enqueue(trx, NOTIFY_TASK, { companyId, id, isDigest: true }, `notify ${companyId}/${id} digest`)
  })
}

async function forget(db: Db): Promise<void> {
  await inBatches(BATCH, (most) => deleteOldEvents(db, EVENTS_KEPT, LASTING_KEPT, most))
  await inBatches(BATCH, (most) => deleteFinished(db, DELIVERIES_KEPT, most))
  await deleteUntold(db, UNTOLD_KEPT)
}

const isDigest = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'isDigest' in payload && payload.isDigest === true

export const tasks: readonly Task[] = [
  {
    name: DELIVER_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key) await deliverWebhook(parts, key.companyId, key.id)
    },
  },
  {
    name: NOTIFY_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key) await sendNotifications(parts, key.companyId, key.id, isDigest(payload))
    },
  },
  { name: 'look-after-deliveries', cron: '* * * * *', run: ({ db }) => lookAfterDeliveries(db) },
  { name: 'send-digests', cron: '0 * * * *', run: ({ db }) => sendDigests(db) },
  { name: 'forget-events', cron: '23 * * * *', run: ({ db }) => forget(db) },
]
