// Keeps the encrypted credential of an integration that is gone or has moved, until its webhooks have been removed from the host.

import type { Trx } from '../../core/db/open.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Keyring } from '../../core/keyring.ts'
import { resealing } from '../../core/resealing.ts'
import type { VendorParts } from './connection.ts'
import { placeOf } from './connections.ts'
import { parseCredential } from './kinds.ts'
import * as store from './store-departed.ts'
import { type Opened, openSession } from './vendor-sessions.ts'

export { deleteUnneeded as forgetDeparted } from './store-departed.ts'

/** FAILED_PRECONDITION when it has no credential that its vendor accepts. */
export async function openDeparted(parts: VendorParts, companyId: Id, departedId: Id): Promise<Opened> {
  const found = await store.findDeparted(parts.db, companyId, departedId)
  if (!found?.sealed) throw failedPrecondition('The deleted integration had no credential that its vendor accepts')
  const { integrationId, type, settings, sealed } = found
  const plain = await parts.keyring.unseal(parts.db, placeOf(companyId, integrationId), sealed)
  const credential = parseCredential(plain)
  return openSession(parts, { companyId, integrationId, departedId, type, settings, credential }, 'JOB')
}

/** The company's own keys go with it, but its webhooks are at their hosts still. */
export async function departWithCompany(trx: Trx, keyring: Keyring, companyId: Id): Promise<void> {
  await store.departAll(trx, companyId)
  for (const { id, integrationId, ...sealed } of await store.findAllSealed(trx, companyId)) {
    const place = placeOf(companyId, integrationId)
    // one that cannot be opened keeps no company from being deleted; its webhooks are left, which is told
    const plain = await keyring.unseal(trx, place, sealed).catch(() => null)
    await store.updateSealed(trx, companyId, id, plain === null ? null : keyring.sealLeft(place, plain))
  }
}

/** The place of a credential stays that of its integration. */
export const reencryptDeparted = resealing(
  store.lockSealedBefore,
  async (trx, keyring, companyId, { id, integrationId, ...sealed }) => {
    const place = placeOf(companyId, integrationId)
    const plain = await keyring.unseal(trx, place, sealed)
    await store.updateSealed(trx, companyId, id, await keyring.seal(trx, place, plain))
  },
)
