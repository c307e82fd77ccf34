// Disables and enables users, for the whole installation and not for one company.

import { transaction } from '../../core/db/open.ts'
import { badUserInput, notFound } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Context } from '../context.ts'
import { authorizeAdministrator } from './authorize.ts'
import { audit, takeEffectEverywhere } from './service.ts'
import * as store from './store.ts'
import { deleteIdentities } from './store-identities.ts'
import { deleteSessionsOf } from './store-sessions.ts'

/** Disables a user with all keys and sessions. Once this returns, no process accepts any of them. */
export async function disablePortalUser(context: Context, id: Id): Promise<store.User> {
  authorizeAdministrator(context, 'members:manage')
  if (id === context.viewer.userId) throw badUserInput('You cannot disable yourself', 'input.id')
  const disabled = await changeDisabled(context, id, true)
  await takeEffectEverywhere(context)
  return disabled
}

/** Enables a user again, with the keys that are still valid; a sign-in at the provider is bound again by its address. */
export async function enablePortalUser(context: Context, id: Id): Promise<store.User> {
  authorizeAdministrator(context, 'members:manage')
  // whoever is enabled has no use for it, and whoever was disabled a moment ago must not undo it
  if (id === context.viewer.userId) throw badUserInput('You cannot enable yourself', 'input.id')
  return changeDisabled(context, id, false)
}

const changeDisabled = (context: Context, id: Id, isDisabled: boolean): Promise<store.User> =>
  transaction(context.db, async (trx) => {
    const before = await store.lockUser(trx, id)
    if (!before) throw notFound('User', id)
    const after = await store.updateUserDisabled(trx, id, isDisabled)
    if (isDisabled) await deleteSessionsOf(trx, id)
    else await deleteIdentities(trx, id)
    await audit(trx, context, { companyId: null, object: `PortalUser ${id}`, before, after })
    return after
  })
