// Where the credential of a connection is stored: with its integration, or beside the webhooks of one that is gone.

import type { Trx } from '../../core/db/open.ts'
import type { Sealed } from '../../core/keyring.ts'
import type { Connection } from './connection.ts'
import * as store from './store.ts'
import * as departed from './store-departed.ts'
import { noteExpiry } from './store-health.ts'

type Key = Pick<Connection, 'companyId' | 'integrationId' | 'departedId'>

/** Held until the transaction ends; null when there is none that its vendor may still accept. */
export async function lockKept(trx: Trx, { companyId, integrationId, departedId }: Key): Promise<Sealed | null> {
  if (departedId !== undefined) return departed.lockSealed(trx, companyId, departedId)
  const held = await store.lockSealed(trx, companyId, integrationId)
  return held?.brokenSince === null ? held : null
}

/** `expiresAt` is ISO 8601; null: it does not end by itself. */
export async function saveKept(
  trx: Trx,
  { companyId, integrationId, departedId }: Key,
  sealed: Sealed,
  expiresAt: string | null,
): Promise<void> {
  if (departedId !== undefined) return departed.updateSealed(trx, companyId, departedId, sealed)
  await store.updateSealed(trx, companyId, integrationId, sealed)
  await noteExpiry(trx, companyId, integrationId, expiresAt)
}

/** One that its vendor refuses: it is not sent again. */
export const giveUpKept = (trx: Trx, { companyId, integrationId, departedId }: Key): Promise<void> =>
  departedId === undefined
    ? store.markBroken(trx, companyId, integrationId)
    : departed.updateSealed(trx, companyId, departedId, null)
