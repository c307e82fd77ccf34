// What the worker does for dynamic scans: runs those that were started, and starts those that the clock is to start.

import { transaction } from '../../core/db/open.ts'
import { ApplicationError } from '../../core/errors.ts'
import { idsIn } from '../../core/ids.ts'
import { dueBy } from '../../core/schedules.ts'
import { SCAN_TASK, startScheduled } from '../scans/service.ts'
import type { Task } from '../types.ts'
import { runDynamicScan } from './run.ts'
import * as store from './store.ts'

export const tasks: readonly Task[] = [
  {
    name: SCAN_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'scanId')
      if (key) await runDynamicScan(parts, key)
    },
  },
  {
    name: 'start-scheduled-scans',
    cron: '* * * * *',
    run: async ({ db, log }) => {
      const now = new Date()
      for (const { schedule, ...scheduled } of await store.findScheduled(db)) {
        if (!dueBy(schedule)(now)) continue
        await transaction(db, async (trx) => {
          if (await store.takeMinute(trx, scheduled)) await startScheduled(trx, scheduled)
        }).catch((err: unknown) => {
          // one that still runs is no fault: the next minute that is due tries again
          if (!(err instanceof ApplicationError)) throw err
          log.info({ assetId: scheduled.assetId, reason: err.message }, 'A scan that was due was not started')
        })
      }
    },
  },
]
