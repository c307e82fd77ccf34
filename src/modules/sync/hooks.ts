// Webhooks of trackers: who may register them, and how a call leads to a look at the card that it names.

import type { HookEvent } from '../../connectors/tracker.ts'
import { type Trx, transaction } from '../../core/db/open.ts'
import { failedPrecondition } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { audit } from '../access/service.ts'
import type { Context } from '../context.ts'
import { openForWork } from '../integrations/service.ts'
import { ensureTrackerHook } from '../sources/service.ts'
import { authorizeTracker } from './authorize.ts'
import { wakeTracker } from './jobs.ts'
import { askChanged } from './store.ts'
import { findPolled } from './store-polls.ts'

/** The user name that a person enters with the password; the connector expects it. */
const USER = 'merlon'

type ByHand = { url: string; userName: string; password: string; events: readonly string[] }

/** FAILED_PRECONDITION if no public address is configured, or the tracker has no configuration yet. */
export async function createTrackerWebhook(
  context: Context,
  integrationId: Id,
): Promise<{ isMade: boolean; webhook: ByHand | null }> {
  const { companyId } = await authorizeTracker(context, integrationId)
  const configurations = await findPolled(context.db, companyId, integrationId)
  if (configurations.length === 0) throw failedPrecondition('No board or list of the integration is configured yet')
  const opened = await openForWork(context, companyId, integrationId, 'CALLER')
  const { tracker, name } = opened.connector
  if (!tracker) throw failedPrecondition(`${name} has no cards`)
  const projectIds = [...new Set(configurations.flatMap(({ project }) => project?.id ?? []))]
  const made = await ensureTrackerHook(context, opened, tracker, { companyId, integrationId, projectIds })
  if (made === null) throw failedPrecondition('The operator has not set MERLON_PUBLIC_URL, the address to call')
  const { isMade, url, secret } = made
  await transaction(context.db, (trx) =>
    audit(trx, context, { companyId, object: `Integration ${integrationId}`, after: { webhook: isMade } }),
  )
  const isByHand = !isMade && projectIds.length > 0
  const events = ['workitem.updated', 'workitem.deleted']
  return { isMade, webhook: isByHand ? { url, userName: USER, password: secret, events } : null }
}

/** Schedules a look at the card that a delivery names. */
export async function takeTrackerCall(
  trx: Trx,
  { companyId, integrationId }: { companyId: Id; integrationId: Id },
  { item, revision, kind }: HookEvent,
): Promise<void> {
  if (item === null || kind === 'OTHER') return
  const seen = kind === 'ITEM_DELETED' ? null : revision
  if ((await askChanged(trx, companyId, integrationId, [{ id: item, revision: seen }])) === 0) return
  await wakeTracker(trx, companyId, integrationId)
}
