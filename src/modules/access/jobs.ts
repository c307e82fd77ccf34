// What the worker does for access: links audit records into their chain, forgets old idempotency records.

import { sealAudit } from '../../core/audit.ts'
import type { Task } from '../types.ts'
import { deleteIdempotencyRecords } from './store.ts'

export const tasks: readonly Task[] = [
  { name: 'seal-audit', cron: '* * * * *', run: async ({ db }) => void (await sealAudit(db)) },
  { name: 'forget-idempotency', cron: '17 * * * *', run: ({ db }) => deleteIdempotencyRecords(db) },
]
