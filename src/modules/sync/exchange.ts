// One exchange with a tracker, logged with the request, the result, and the duration.

import { VendorFailed, VendorRefused } from '../../connectors/errors.ts'
import type { Session } from '../../connectors/session.ts'
import type { Tracker } from '../../connectors/tracker.ts'
import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { WorkParts } from '../context.ts'
import type { Work } from './store.ts'
import { insertDelivery, type Outcome, type SyncAction } from './store-deliveries.ts'

/** An integration that is being synchronised. */
export type Run = {
  parts: WorkParts
  companyId: Id
  integrationId: Id
  tracker: Tracker
  session: Session
}

/** A failure or refusal of the vendor that has been logged already. */
type VendorTrouble = VendorFailed | VendorRefused
export const isVendorTrouble = (error: unknown): error is VendorTrouble =>
  error instanceof VendorFailed || error instanceof VendorRefused

/** Kinds of failure after which no further request is worth trying now. */
const stopping: readonly string[] = ['PAUSED', 'WAIT', 'CREDENTIAL', 'BROKEN', 'UNREACHABLE', 'TIMEOUT']
export const isStopping = ({ kind }: VendorTrouble): boolean => stopping.includes(kind)

type Said = { action: SyncAction; request: string | null }

/** The log entry of a call that was made; `work` is null if it concerns the whole tracker. */
export async function exchange<T>(
  run: Run,
  work: Work | null,
  said: Said,
  call: () => Promise<T>,
  answerOf: (value: T) => string,
): Promise<T> {
  const began = performance.now()
  const log = (outcome: Outcome, answer: string | null, reason: string | null) =>
    note(run, work, { ...said, outcome, answer, reason, duration: performance.now() - began })
  try {
    const value = await call()
    await log('DONE', answerOf(value), null)
    return value
  } catch (error) {
    if (isVendorTrouble(error)) await log(error instanceof VendorFailed ? 'FAILED' : 'REFUSED', null, error.message)
    throw error
  }
}

type Noted = Said & { outcome: Outcome; answer: string | null; reason: string | null; duration: number }

/** The log entry of an outcome without a call. */
export const note = (
  { parts, companyId, integrationId }: Run,
  work: Work | null,
  noted: Noted,
  db: Db = parts.db,
): Promise<void> =>
  insertDelivery(db, {
    companyId,
    integrationId,
    workItemId: work?.id ?? null,
    issueId: work?.issueId ?? null,
    ...noted,
  })
