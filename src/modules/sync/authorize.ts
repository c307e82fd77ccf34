// Who may synchronise a tracker: owners only.

import { notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import { authorizeIntegration } from '../integrations/service.ts'

/** NOT_FOUND also for an integration that is not a tracker. */
export async function authorizeTracker(context: Context, id: Id) {
  const integration = await authorizeIntegration(context, 'integrations:write', id)
  const { integrationType } = integration
  if (integrationType === 'BOARDS_TRACKER' || integrationType === 'TASK_TRACKER') return integration
  throw notFound('Integration', id)
}
