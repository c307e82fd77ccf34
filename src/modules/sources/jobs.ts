// The worker's tasks for repositories: follows branches, polls hosts that do not call, reports verdicts, removes webhooks.

import { inBatches } from '../../core/batches.ts'
import { transaction } from '../../core/db/open.ts'
import { idsIn } from '../../core/ids.ts'
import type { Task } from '../types.ts'
import { takeHookAway } from './departed.ts'
import { followBranch, lookAtRepository } from './follow.ts'
import { askLook, askUnhook, FOLLOW_TASK, followAsked, LOOK_TASK, REPORT_TASK, UNHOOK_TASK } from './jobs-of.ts'
import { reportDeploy } from './report.ts'
import { findDue } from './store.ts'
import { findForgotten } from './store-departed.ts'
import { sweepDeliveries } from './store-hooks.ts'

/** Minutes between polls of a repository: without a webhook, and with one. */
const UNHOOKED = 9
const HOOKED = 59
const MOST_AT_ONCE = 1_000
/** Days for which deliveries are remembered, to recognise repeated ones. */
const DELIVERIES_KEPT = 30
const BATCH = 10_000

export const tasks: readonly Task[] = [
  {
    name: FOLLOW_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const asked = followAsked.safeParse(payload)
      if (asked.success) await followBranch(parts, asked.data)
    },
  },
  {
    name: LOOK_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const asked = idsIn(payload, 'companyId', 'id')
      if (asked) await lookAtRepository(parts, asked)
    },
  },
  {
    name: REPORT_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const asked = idsIn(payload, 'companyId', 'id')
      if (asked) await reportDeploy(parts, asked)
    },
  },
  {
    name: UNHOOK_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const asked = idsIn(payload, 'companyId', 'id')
      if (asked) await takeHookAway(parts, asked)
    },
  },
  {
    // for the hooks of a restored backup, which has no jobs
    name: 'look-after-departed-hooks',
    cron: '37 * * * *',
    run: async ({ db }) => {
      const forgotten = await findForgotten(db, MOST_AT_ONCE)
      await transaction(db, async (trx) => {
        for (const hook of forgotten) await askUnhook(trx, hook)
      })
    },
  },
  {
    name: 'look-at-repositories',
    cron: '*/5 * * * *',
    run: async ({ db }) => {
      const due = await findDue(db, { unhooked: UNHOOKED, hooked: HOOKED, most: MOST_AT_ONCE })
      await transaction(db, async (trx) => {
        for (const one of due) await askLook(trx, one)
      })
    },
  },
  {
    name: 'sweep-inbound-deliveries',
    cron: '23 4 * * *',
    run: async ({ db }) => {
      await inBatches(BATCH, (most) => sweepDeliveries(db, DELIVERIES_KEPT, most))
    },
  },
]
