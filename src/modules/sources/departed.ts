// Removes webhooks from their hosts when the records they were created for are gone, and deletes the credential after the last one.

import { VendorRefused } from '../../connectors/errors.ts'
import { appendAudit, program } from '../../core/audit.ts'
import { transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { WorkParts } from '../context.ts'
import { forgetDeparted, openDeparted, openForWork } from '../integrations/service.ts'
import * as store from './store-departed.ts'

/** Hours after which removing a hook is given up. */
const LONGEST = 72

/** Removes one hook. Safe to run twice. Throws failures that may be temporary, so that the job is retried. */
export async function takeHookAway(parts: WorkParts, key: { companyId: Id; id: Id }): Promise<void> {
  const hook = await store.findDepartedHook(parts.db, key)
  if (!hook) return
  try {
    await remove(parts, hook)
    await end(parts, hook, null)
  } catch (error) {
    if (hook.age < LONGEST && mayPass(hook, error)) throw error
    parts.log.warn({ err: error, companyId: hook.companyId, hookId: hook.id }, 'A webhook was left at its host')
    await end(parts, hook, error instanceof ApplicationError ? error.message : 'An unexpected error')
  }
}

async function remove(parts: WorkParts, hook: store.DepartedHook): Promise<void> {
  const { companyId, integrationId, departedId, projectId, vendorId } = hook
  const { connector, session } =
    departedId === null
      ? await openForWork(parts, companyId, integrationId)
      : await openDeparted(parts, companyId, departedId)
  await (connector.source ?? connector.tracker)?.removeHook(session, { projectId, hookId: vendorId })
}

/** Whether a failure may be temporary. A refused credential is, unless the integration is gone and nobody can replace it. */
function mayPass({ departedId }: store.DepartedHook, error: unknown): boolean {
  if (!(error instanceof ApplicationError) || error.retryable) return true
  const isRefused = error instanceof VendorRefused && error.kind !== 'CREDENTIAL' && error.kind !== 'BROKEN'
  return departedId === null && !isRefused
}

/** `left`: why the hook stays at its host; null if it was removed. */
const end = (parts: WorkParts, hook: store.DepartedHook, left: string | null): Promise<void> =>
  transaction(parts.db, async (trx) => {
    const { companyId, integrationId, departedId, projectId, vendorId } = hook
    await store.deleteDepartedHook(trx, hook)
    if (departedId !== null) await forgetDeparted(trx, companyId, departedId)
    await appendAudit(trx, parts.keyring.auditKey, program('takeHookAway'), {
      companyId,
      object: `Integration ${integrationId}`,
      before: { webhook: vendorId, projectId },
      after: left === null ? undefined : { webhookLeft: left },
    })
  })
