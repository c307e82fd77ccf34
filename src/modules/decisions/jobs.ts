// The worker's task for decisions: it applies them.

import { idsIn } from '../../core/ids.ts'
import type { Task } from '../types.ts'
import { runDecision } from './run.ts'
import { DECIDE_TASK } from './service.ts'

export const tasks: readonly Task[] = [
  {
    name: DECIDE_TASK,
    run: async (parts, payload) => {
      const key = idsIn(payload, 'companyId', 'id')
      if (key) await runDecision(parts, key)
    },
  },
]
