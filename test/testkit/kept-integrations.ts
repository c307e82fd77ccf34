// Stored integrations as several processes see them, for tests in which credentials change while in use.

import { randomBytes } from 'node:crypto'
import type { Settings } from '../../src/connectors/kinds.ts'
import type { Session } from '../../src/connectors/session.ts'
import type { Connector } from '../../src/connectors/types.ts'
import { transaction } from '../../src/core/db/open.ts'
import type { VendorParts } from '../../src/modules/integrations/connection.ts'
import { openConnection, placeOf } from '../../src/modules/integrations/connections.ts'
import { blankSettings, type KeptCredential, writeCredential } from '../../src/modules/integrations/kinds.ts'
import * as store from '../../src/modules/integrations/store.ts'
import { openSession } from '../../src/modules/integrations/vendor-sessions.ts'
import { services } from './service.ts'
import { fakeVendors } from './vendor-session.ts'
import { newWorld } from './world.ts'

/** The parts of one process, with vendors of its own, as on another node. */
export const node = async (): Promise<VendorParts> => {
  const [service] = await services()
  if (!service) throw new Error('No service was started')
  const { config, db, keyring, log } = service.app.parts
  const client = { clientId: 'client', clientSecret: 'client-secret', redirectUri: 'https://here.example.test/back' }
  const oauth = { ...config.oauth, HOST_A: client, HOST_B: client, BOARDS_TRACKER: client }
  return { config: { ...config, oauth }, db, keyring, log, vendors: fakeVendors() }
}

/** New for each call, because rate limits are counted by credential and shared by all its users; `expiresAt` is in ISO 8601. */
export const newTokens = (expiresAt: string | null): Extract<KeptCredential, { kind: 'OAUTH' }> => ({
  kind: 'OAUTH',
  accessToken: `old-${randomBytes(8).toString('hex')}`,
  refreshToken: `refresh-${randomBytes(8).toString('hex')}`,
  expiresAt,
})

type Kept = { connector: Connector; settings: Partial<Settings> }

/** An integration of a new company whose credential was never checked. */
export const keep = async (parts: VendorParts, { connector, settings }: Kept, credential: KeptCredential) => {
  const { companyId, owner } = await newWorld()
  return transaction(parts.db, async (trx) => {
    const id = await store.nextIntegrationId(trx)
    const sealed = await parts.keyring.seal(trx, placeOf(companyId, id), writeCredential(credential))
    const whole = { ...blankSettings, ...settings }
    const row = { companyId, id, type: connector.type, settings: whole, createdById: owner.id }
    return store.insertIntegration(trx, row, { sealed, accessKey: null })
  })
}

export const replaceCredential = (parts: VendorParts, integration: store.Integration, credential: KeptCredential) =>
  transaction(parts.db, async (trx) => {
    const { companyId, id, settings } = integration
    const sealed = await parts.keyring.seal(trx, placeOf(companyId, id), writeCredential(credential))
    await store.updateIntegration(trx, integration, settings, { sealed, accessKey: null })
  })

/** The integration as it is stored now. */
export const reread = async ({ db }: VendorParts, { companyId, id }: store.Integration) => {
  const integration = await store.findCompanyIntegration(db, companyId, id)
  if (!integration) throw new Error('The integration is gone')
  return integration
}

export const openKept = async (parts: VendorParts, integration: store.Integration): Promise<Session> =>
  openSession(parts, await openConnection(parts, await reread(parts, integration)), 'JOB').session
