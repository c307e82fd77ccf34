// Sends people's decisions to an outside scanner: one at a time, with retries, each recorded.

import { VendorFailed, VendorRefused } from '../../connectors/errors.ts'
import type { ScannerDecision, WrittenBack } from '../../connectors/scanner.ts'
import type { Session } from '../../connectors/session.ts'
import type { Connector } from '../../connectors/types.ts'
import { inBatches } from '../../core/batches.ts'
import { transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import { enqueueIn } from '../../core/jobs.ts'
import type { WorkParts } from '../context.ts'
import { pauseAfter } from '../events/service.ts'
import { openForWork } from '../integrations/service.ts'
import { queueOf } from './service.ts'
import * as store from './store-deliveries.ts'

export const TELL_TASK = 'tell-scanner'

const AT_ONCE = 100
/** Hours after which an unsent decision is given up, and days for which the outcome is kept. */
const LONGEST = 72
const KEPT_DAYS = 90
const BATCH = 10_000

/** Sends the decisions that are due, and enqueues a job for the rest. Safe to run twice: sending a decision again changes nothing. */
export async function tellScanner(parts: WorkParts, key: store.ScannerKey): Promise<void> {
  for (;;) {
    const due = await store.findDue(parts.db, key, AT_ONCE)
    if (due.length === 0) {
      const wait = await store.findWait(parts.db, key)
      return wait === null ? undefined : comeBack(parts, key, Math.max(0, wait))
    }
    const opened = await openForWork(parts, key.companyId, key.id).catch((error: unknown) => {
      if (error instanceof ApplicationError) return error
      throw error
    })
    if (opened instanceof ApplicationError) {
      for (const delivery of due) await failed(parts, delivery, opened)
      return
    }
    for (const delivery of due) await tell(parts, opened.connector, opened.session, delivery)
  }
}

const comeBack = (parts: WorkParts, { companyId, id }: store.ScannerKey, seconds: number): Promise<void> =>
  transaction(parts.db, (trx) =>
    enqueueIn(
      trx,
      Math.ceil(seconds),
      TELL_TASK,
      { companyId, id },
      `tell-scanner ${companyId}/${id}`,
      queueOf(companyId, id),
    ),
  )

async function tell(parts: WorkParts, { scanner }: Connector, session: Session, delivery: store.Due): Promise<void> {
  const { companyId, issueId, externalId: projectId, status, reason, expiresAt } = delivery
  const decision: ScannerDecision = { status, reason, expiresAt: expiresAt && new Date(expiresAt).toISOString() }
  const said: WrittenBack[] = []
  try {
    for (const known of await store.findKnown(parts.db, companyId, issueId)) {
      const written = await scanner?.writeBack?.(session, { projectId, ...known }, decision)
      if (written) said.push(written)
    }
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error
    return failed(parts, delivery, error)
  }
  const sent = said.flatMap((each) => (each.kind === 'SENT' ? [each.request] : []))
  const [unsupported] = said.flatMap((each) => (each.kind === 'UNSUPPORTED' ? [each.reason] : []))
  if (sent.length > 0) {
    await store.endDelivery(parts.db, delivery, { state: 'DELIVERED', request: sent.join('; '), failure: null })
  } else if (unsupported !== undefined) {
    await store.endDelivery(parts.db, delivery, { state: 'UNSUPPORTED', request: null, failure: unsupported })
  } else await store.deleteDelivery(parts.db, delivery)
}

/** A decision that the vendor refuses is given up, unless it refused the credential: a person may replace that in time. */
async function failed(parts: WorkParts, delivery: store.Due, error: ApplicationError): Promise<void> {
  const isRefused = error instanceof VendorRefused && error.kind !== 'CREDENTIAL' && error.kind !== 'BROKEN'
  if (isRefused || delivery.age > LONGEST) {
    return store.endDelivery(parts.db, delivery, { state: 'GIVEN_UP', request: null, failure: error.message })
  }
  const asked = error instanceof VendorFailed ? (error.retryAfterSeconds ?? null) : null
  await store.postpone(parts.db, delivery, pauseAfter(delivery.attempts + 1, asked), error.message)
}

/** Enqueues jobs for decisions that are due, in case theirs are gone, such as after a restart; deletes old deliveries. */
export async function lookAfterDecisions(parts: WorkParts): Promise<void> {
  for (const key of await store.findScannersDue(parts.db)) await comeBack(parts, key, 0)
  await inBatches(BATCH, (most) => store.deleteOldDeliveries(parts.db, KEPT_DAYS, most))
}
