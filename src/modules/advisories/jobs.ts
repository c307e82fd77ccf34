// The worker's tasks for advisories: fetches each archive that the operator configured, once a day.

import { z } from 'zod'
import type { Task } from '../types.ts'
import { FETCH_TASK, fetchArchive, fetchDue } from './fetching.ts'

const archiveShape = z.object({ address: z.string() })

export const tasks: readonly Task[] = [
  { name: 'fetch-due-advisories', cron: '41 * * * *', run: fetchDue },
  {
    name: FETCH_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const archive = archiveShape.safeParse(payload)
      if (archive.success) await fetchArchive(parts, archive.data.address)
    },
  },
]
