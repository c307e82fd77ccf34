// The worker's task for figures: adds up the tally of findings.

import { inBatches } from '../../core/batches.ts'
import type { Task } from '../types.ts'
import { addUpTallies } from './store-tally.ts'

/** Assets in one transaction. */
const BATCH = 200

export const tasks: readonly Task[] = [
  {
    name: 'add-up-tallies',
    cron: '*/5 * * * *',
    run: async ({ db }) => void (await inBatches(BATCH, (most) => addUpTallies(db, most))),
  },
]
