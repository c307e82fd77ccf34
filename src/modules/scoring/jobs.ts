// The worker's tasks for scoring: computes priorities and due dates anew as time passes, and when policies, assets or feeds change.

import { z } from 'zod'
import { inBatches } from '../../core/batches.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import { idsIn } from '../../core/ids.ts'
import { whenFree } from '../issues/service.ts'
import type { Task } from '../types.ts'
import { applyExploitationData, REFRESH_TASK, refreshDue, refreshFeed } from './exploitation.ts'
import { revalueAfter, revalueDue } from './store.ts'

/** Findings of one transaction, so that nobody waits long for one of them. */
const BATCH = 5000

/** Values anew what time alone has changed, and what an older version of the program left; returns how many. */
export const revalueWhatIsDue = (db: Db): Promise<number> =>
  inBatches(BATCH, (most) => transaction(db, (trx) => revalueDue(trx, most)))

/** Values anew the open findings of a company, or of one of its assets. Safe to run twice. */
export async function revalueCompany(db: Db, companyId: string, assetId: string | null): Promise<void> {
  for (let after: string | null = '0'; after !== null; ) {
    const from: string = after
    after = await whenFree(db, (trx) => revalueAfter(trx, companyId, assetId, from, BATCH))
  }
}

const feedShape = z.object({ name: z.enum(['EPSS', 'KEV']), isOnlyWhenDue: z.boolean().default(false) })

export const tasks: readonly Task[] = [
  { name: 'revalue-due', cron: '* * * * *', run: async ({ db }) => void (await revalueWhatIsDue(db)) },
  {
    name: 'revalue-company',
    run: async ({ db }, payload) => {
      const company = idsIn(payload, 'companyId')
      if (company) await revalueCompany(db, company.companyId, idsIn(payload, 'assetId')?.assetId ?? null)
    },
  },
  { name: 'apply-exploitation-data', run: async ({ db }) => void (await applyExploitationData(db)) },
  { name: 'refresh-due-feeds', cron: '17 * * * *', run: refreshDue },
  {
    name: REFRESH_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const feed = feedShape.safeParse(payload)
      if (feed.success) await refreshFeed(parts, feed.data.name, feed.data.isOnlyWhenDue)
    },
  },
]
