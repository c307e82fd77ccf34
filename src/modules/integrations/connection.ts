// What a call to a vendor needs: the parts of the application, and an integration with its decrypted credential.

import type { Db } from '../../core/db/open.ts'
import type { Id } from '../../core/ids.ts'
import type { Parts } from '../context.ts'
import type { IntegrationType, KeptCredential, Settings } from './kinds.ts'

export type VendorParts = Pick<Parts, 'vendors' | 'config' | 'keyring' | 'log'> & { db: Db }

/** An integration with its decrypted credential. */
export type Connection = {
  companyId: Id
  integrationId: Id
  /** set for an integration that is gone or has moved, which is used only to remove its webhooks */
  departedId?: Id
  type: IntegrationType
  settings: Settings
  credential: KeptCredential
}
