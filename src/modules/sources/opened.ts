// Opens a session with the host of a repository, for a job.

import type { Session } from '../../connectors/session.ts'
import type { SourceHost } from '../../connectors/source-host.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { WorkParts } from '../context.ts'
import { openForWork } from '../integrations/service.ts'
import type { Association } from './store.ts'

/** `name`: the host's name in sentences for people. */
export type Opened = { name: string; source: SourceHost; session: Session }

export async function openSource(parts: WorkParts, { companyId, integrationId }: Association): Promise<Opened> {
  const { connector, session } = await openForWork(parts, companyId, integrationId)
  if (!connector.source) throw failedPrecondition(`${connector.name} has no repositories`)
  return { name: connector.name, source: connector.source, session }
}
