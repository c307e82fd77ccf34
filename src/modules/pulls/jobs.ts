// What the worker does for scanners outside: pulls what they know, regularly and when asked, and tells them what was decided.

import { type Id, isId } from '../../core/ids.ts'
import type { Task } from '../types.ts'
import { lookAfterDecisions, TELL_TASK, tellScanner } from './decisions.ts'
import { runPull } from './pull.ts'
import { PULL_TASK, pullDue } from './service.ts'

function keyIn(payload: unknown): { companyId: string; id: string } | null {
  if (typeof payload !== 'object' || payload === null) return null
  const { companyId, id } = payload as Record<string, unknown>
  return typeof companyId === 'string' && typeof id === 'string' && isId(companyId) && isId(id)
    ? { companyId, id }
    : null
}

/** 0, which is no run, when there is none. */
const scanIn = (payload: unknown): Id => {
  const scanId = typeof payload === 'object' && payload !== null && 'scanId' in payload ? payload.scanId : null
  return typeof scanId === 'string' && isId(scanId) ? scanId : '0'
}

export const tasks: readonly Task[] = [
  {
    name: PULL_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const key = keyIn(payload)
      if (key) await runPull(parts, { ...key, scanId: scanIn(payload) })
    },
  },
  {
    name: TELL_TASK,
    callsOut: true,
    run: async (parts, payload) => {
      const key = keyIn(payload)
      if (key) await tellScanner(parts, key)
    },
  },
  { name: 'pull-scanners', cron: '11 * * * *', run: async ({ db }) => void (await pullDue(db)) },
  { name: 'look-after-decisions', cron: '*/10 * * * *', run: lookAfterDecisions },
]
