// What the worker does for exports: forgets those whose address no longer holds.

import type { Task } from '../types.ts'
import { sweepExports } from './store.ts'

const AT_ONCE = 1000

export const tasks: readonly Task[] = [
  {
    name: 'sweep-exports',
    cron: '41 3 * * *',
    run: async ({ db }) => {
      while ((await sweepExports(db, AT_ONCE)) === AT_ONCE);
    },
  },
]
