// The worker's task for exports: deletes those whose address has expired.

import { inBatches } from '../../core/batches.ts'
import type { Task } from '../types.ts'
import { sweepExports } from './store.ts'

const AT_ONCE = 1000

export const tasks: readonly Task[] = [
  {
    name: 'sweep-exports',
    cron: '41 3 * * *',
    run: async ({ db }) => {
      await inBatches(AT_ONCE, (most) => sweepExports(db, most))
    },
  },
]
