// Finds the integration that is meant, and decrypts its credential for the vendor.

import type { Db } from '../../core/db/open.ts'
import { badUserInput, failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Keyring } from '../../core/keyring.ts'
import { authorizeRecord } from '../access/service.ts'
import type { Context } from '../context.ts'
import type { Connection } from './connection.ts'
import { type IntegrationType, parseCredential } from './kinds.ts'
import * as store from './store.ts'

/** What a credential is sealed for. */
export const placeOf = (companyId: Id, id: Id) => ({ companyId, table: 'integration', row: id, column: 'sealed' })

export const authorizeIntegration = (context: Context, action: 'integrations:read' | 'integrations:write', id: Id) =>
  authorizeRecord(context, action, 'Integration', id, async () => {
    const [found] = await store.findIntegrations(context.db, context.viewer, [id])
    return found ?? null
  })

/** As authorizeRecord; NOT_FOUND too for an integration of another type. */
export async function authorizeOfType(
  context: Context,
  action: 'integrations:read' | 'integrations:write',
  type: IntegrationType,
  id: Id,
): Promise<store.Integration> {
  return authorizeRecord(context, action, 'Integration', id, async () => {
    const [found] = await store.findIntegrations(context.db, context.viewer, [id])
    return found?.integrationType === type ? found : null
  })
}

/** The only one of these, or null when there is none; BAD_USER_INPUT when there are several. */
export function requireOne(found: readonly store.Integration[], type: IntegrationType, argument: string) {
  if (found.length > 1) {
    throw badUserInput(`The company has several integrations of ${type}; integrationId says which one`, argument)
  }
  return found[0] ?? null
}

/** The integration with its credential opened; FAILED_PRECONDITION when it has none, or one that its vendor refuses. Throws when its row was tampered with. */
export async function openConnection(
  { db, keyring }: { db: Db; keyring: Keyring },
  integration: store.Integration,
): Promise<Connection> {
  const { companyId, id, integrationType: type, settings, brokenSince } = integration
  if (brokenSince !== null) {
    throw failedPrecondition(
      `The credential of the ${type} integration ${id} is refused by its vendor; give it another`,
    )
  }
  const sealed = await store.findSealed(db, integration)
  if (!sealed) throw failedPrecondition(`The ${type} integration ${id} has no credential yet`)
  const credential = parseCredential(await keyring.unseal(db, placeOf(companyId, id), sealed))
  return { companyId, integrationId: id, type, settings, credential }
}
