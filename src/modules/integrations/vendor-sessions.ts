// Opens a session with a vendor: its connector's client, bound to one integration and its credential.

import { connectors } from '../../connectors/index.ts'
import type { Session } from '../../connectors/session.ts'
import type { Connector } from '../../connectors/types.ts'
import { sha256 } from '../../core/crypto.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Connection, VendorParts } from './connection.ts'
import type { KeptCredential, Settings } from './kinds.ts'
import { credentialsOf } from './tokens.ts'

/** Refuses what the vendor does not offer, such as its boards. */
export function lacks({ name }: Connector, what: string): never {
  throw failedPrecondition(`${name} has no ${what}`)
}

export type Opened = { connector: Connector; session: Session }

/** An integration's session: refreshes expired tokens, and marks the integration as broken once they are refused for good. */
export function openSession(
  parts: VendorParts,
  connection: Connection,
  patience: 'CALLER' | 'JOB',
  connector: Connector = connectors[connection.type],
): Opened {
  const { settings, credential, companyId, integrationId } = connection
  const key = credential.kind === 'OAUTH' ? `integration ${companyId}/${integrationId}` : fingerprint(credential)
  const credentials = credentialsOf(parts, connector, connection)
  return { connector, session: bind(parts, connector, settings, key, credentials, patience) }
}

/** A session for a credential that is not stored yet. */
export function openTrial(parts: VendorParts, connector: Connector, credential: KeptCredential, settings: Settings) {
  const credentials = { current: async () => credential, renew: async () => null, reject: async () => {} }
  return bind(parts, connector, settings, fingerprint(credential), credentials, 'CALLER')
}

const bind = (
  { vendors }: VendorParts,
  connector: Connector,
  settings: Settings,
  key: string,
  credentials: ReturnType<typeof credentialsOf>,
  patience: 'CALLER' | 'JOB',
): Session => ({
  client: vendors.client({ connector, base: connector.base(settings), key, credentials, patience }),
  settings,
  now: vendors.clock.now,
  sleep: vendors.clock.sleep,
})

/** Integrations with the same credential share the vendor's rate limit. */
const fingerprint = (credential: KeptCredential): string => sha256(JSON.stringify(credential)).toString('hex')
