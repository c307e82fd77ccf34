// Opens an integration for other modules' requests to its vendor: patiently for a job, or briefly while a person waits.

import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { VendorParts } from './connection.ts'
import { openConnection } from './connections.ts'
import { findCompanyIntegration } from './store.ts'
import { type Opened, openSession } from './vendor-sessions.ts'

/** FAILED_PRECONDITION if it is gone, or has no credential, or one that its vendor refuses. */
export async function openForWork(
  parts: VendorParts,
  companyId: Id,
  integrationId: Id,
  patience: 'CALLER' | 'JOB' = 'JOB',
): Promise<Opened> {
  const integration = await findCompanyIntegration(parts.db, companyId, integrationId)
  if (!integration) throw failedPrecondition('The integration is gone')
  return openSession(parts, await openConnection(parts, integration), patience)
}
