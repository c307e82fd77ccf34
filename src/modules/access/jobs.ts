// The worker's tasks for access: chains audit records, deletes old idempotency records and sessions, removes files without a row.

import { sealAudit } from '../../core/audit-chain.ts'
import { sweepObjects } from '../../core/sweeping.ts'
import type { Task } from '../types.ts'
import { forgetEndedSessions } from './sessions.ts'
import { deleteIdempotencyRecords } from './store.ts'

/** milliseconds; longer than any request takes between storing a file and referring to it: an hour for its body, and some */
const SETTLED = 5_400_000

export const tasks: readonly Task[] = [
  {
    name: 'seal-audit',
    cron: '* * * * *',
    run: async ({ db, keyring }) => void (await sealAudit(db, keyring.auditKey)),
  },
  {
    name: 'sweep-objects',
    cron: '43 * * * *',
    run: async ({ db, objects }) => void (await sweepObjects(db, objects, SETTLED)),
  },
  { name: 'forget-idempotency', cron: '17 * * * *', run: ({ db }) => deleteIdempotencyRecords(db) },
  { name: 'forget-sessions', cron: '29 * * * *', run: ({ db }) => forgetEndedSessions(db) },
]
