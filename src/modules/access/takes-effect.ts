// Waits until a change of keys or memberships has taken effect in every process.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterCommit } from '../../core/db/open.ts'
import type { Context } from '../context.ts'
import { VIEWER_LEASE } from './viewers.ts'

/** After the commit, waits until the caches of keys and memberships in all processes have expired. */
export const takeEffectEverywhere = (context: Context): Promise<void> =>
  afterCommit(context.db, async () => {
    context.forgetViewers()
    await sleep(VIEWER_LEASE)
  })
