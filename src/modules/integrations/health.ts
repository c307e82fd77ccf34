// The health of an integration: its last success and failure, recorded along with the calls.

import type { Outcome } from '../../connectors/client.ts'
import { VendorFailed } from '../../connectors/errors.ts'
import type { Connection, VendorParts } from './connection.ts'
import { noteFailure, noteSuccess } from './store-health.ts'

/** Milliseconds in which one success or one failure of an integration is noted, however many there are. */
const PACE = 30_000
const MOST_REMEMBERED = 10_000

const noted = new WeakMap<object, Map<string, number>>()

/** What the integration's own fault may be: that something is missing or in the wrong shape is not. */
const speaksOfIt = (failure: NonNullable<Outcome['failure']>): boolean =>
  failure instanceof VendorFailed || ['CREDENTIAL', 'BROKEN', 'PERMISSION', 'ADDRESS'].includes(failure.kind)

/** Returns at once; what cannot be noted is not missed. */
export function noteOutcome(
  parts: VendorParts,
  { companyId, integrationId, departedId }: Connection,
  { failure, remaining }: Outcome,
): void {
  if (departedId !== undefined || (failure !== null && !speaksOfIt(failure))) return
  const all = noted.get(parts.vendors) ?? new Map<string, number>()
  noted.set(parts.vendors, all)
  const name = `${companyId}/${integrationId} ${failure === null ? '' : failure.message}`
  const now = parts.vendors.clock.now()
  if (now - (all.get(name) ?? Number.NEGATIVE_INFINITY) < PACE) return
  if (all.size > MOST_REMEMBERED) all.clear()
  all.set(name, now)
  const key = { companyId, integrationId }
  const noting = failure === null ? noteSuccess(parts.db, key, remaining) : noteFailure(parts.db, key, failure.message)
  noting.catch((err: unknown) => parts.log.debug({ err }, 'How an integration fares could not be noted'))
}
