// The worker's tasks for outside scanners: pulls their findings, regularly and on request, and sends them decisions.

import { idsIn } from '../../core/ids.ts'
import type { Task } from '../types.ts'
import { lookAfterDecisions, TELL_TASK, tellScanner } from './decisions.ts'
import { runPull } from './pull.ts'
import { PULL_TASK, pullDue } from './service.ts'

/** The run id in the payload of a job that has no run. */
const NO_RUN = '0'

export const tasks: readonly Task[] = [
  {
    name: PULL_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key) await runPull(parts, { ...key, scanId: idsIn(payload, 'scanId')?.scanId ?? NO_RUN })
    },
  },
  {
    name: TELL_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key) await tellScanner(parts, key)
    },
  },
  { name: 'pull-scanners', cron: '11 * * * *', run: async ({ db }) => void (await pullDue(db)) },
  { name: 'look-after-decisions', cron: '*/10 * * * *', run: lookAfterDecisions },
]
