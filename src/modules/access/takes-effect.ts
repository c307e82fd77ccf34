// Waits until a change of keys or memberships holds in every process.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterCommit } from '../../core/db/open.ts'
import type { Context } from '../context.ts'
import { VIEWER_LEASE } from './viewers.ts'

/** Once the change is committed, waits until every process has let go of what it remembered of keys and memberships. */
export const takeEffectEverywhere = (context: Context): Promise<void> =>
  afterCommit(context.db, async () => {
    context.forgetViewers()
    await sleep(VIEWER_LEASE)
  })
