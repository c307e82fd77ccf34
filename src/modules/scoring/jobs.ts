// The worker's tasks for scoring: computes priorities and due dates anew as time passes, and when policies, assets or feeds change.

import { z } from 'zod'
import { inBatches } from '../../core/batches.ts'
import { type Db, transaction } from '../../core/db/open.ts'
import { analyseGrown } from '../../core/db/statistics.ts'
import { idsIn } from '../../core/ids.ts'
import type { WorkParts } from '../context.ts'
import { whenFree } from '../issues/service.ts'
import type { Task } from '../types.ts'
import { APPLY_TASK, applyExploitationData, REFRESH_TASK, refreshDue, refreshFeed } from './exploitation.ts'
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

/**
 * Runs `work` once the statistics of the findings, and of the feeds that are applied to them, are of about as many rows as there are. With older
 * ones the planner may look for each finding of a batch among all of its company.
 */
const withStatistics =
  (work: (db: Db, payload: unknown) => Promise<unknown>) =>
  async ({ db, log }: Pick<WorkParts, 'db' | 'log'>, payload?: unknown): Promise<void> => {
    await analyseGrown(db, ['finding', 'epss', 'known_exploited'], (err) =>
      log.warn({ err }, 'The statistics of the findings could not be renewed'),
    )
    await work(db, payload)
  }

/** Gives what is published to all findings that name a vulnerability. */
export const applyFeeds = withStatistics(applyExploitationData)

const feedShape = z.object({ name: z.enum(['EPSS', 'KEV']), isOnlyWhenDue: z.boolean().default(false) })

export const tasks: readonly Task[] = [
  { name: 'revalue-due', cron: '* * * * *', run: withStatistics(revalueWhatIsDue) },
  {
    name: 'revalue-company',
    run: withStatistics(async (db, payload) => {
      const company = idsIn(payload, 'companyId')
      if (company) await revalueCompany(db, company.companyId, idsIn(payload, 'assetId')?.assetId ?? null)
    }),
  },
  { name: APPLY_TASK, run: applyFeeds },
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
