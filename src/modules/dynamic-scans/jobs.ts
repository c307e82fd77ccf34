// The worker's tasks for dynamic scans: runs those that were started, and starts those that are scheduled.

import { idsIn } from '../../core/ids.ts'
import type { Task } from '../types.ts'
import { runDynamicScan } from './run.ts'
import { SCAN_TASK, startScheduled } from './start.ts'

export const tasks: readonly Task[] = [
  {
    name: SCAN_TASK,
    lastsLong: true,
    run: async (parts, payload, leaving) => {
      const key = idsIn(payload, 'companyId', 'scanId')
      if (key) await runDynamicScan(parts, key, leaving)
    },
  },
  { name: 'start-scheduled-scans', cron: '* * * * *', run: startScheduled },
]
