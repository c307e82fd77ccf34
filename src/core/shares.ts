// Decides whose job a worker takes next: a company gets another slot only while more are free than it holds.

import type { WorkerEvents } from 'graphile-worker'
import { idsIn } from './ids.ts'

/** What a job of a company is marked with, so that it can be passed over; null for one of no company. */
export function marksOf(payload: unknown): string[] | null {
  const of = idsIn(payload, 'companyId')
  return of && [`company ${of.companyId}`]
}

/**
 * Shares a worker's slots among companies: before each fetch of a job, returns the marks of jobs to skip, which it counts by the worker's
 * `events`. Of eight slots, one company alone holds at most four, two companies three each, and only eight companies hold all. A fetch begins
 * when the previous one has ended, because concurrent ones would not know of each other's jobs.
 */
export function shareSlots(events: WorkerEvents, slots: number): () => Promise<string[]> {
  const held = new Map<string, number>()
  let taken = 0
  let lastLook: Promise<void> = Promise.resolve()
  let endLook = () => {}
  const change = (flags: Record<string, true> | null, by: 1 | -1) => {
    taken += by
    for (const mark of Object.keys(flags ?? {})) {
      const count = (held.get(mark) ?? 0) + by
      if (count === 0) held.delete(mark)
      else held.set(mark, count)
    }
  }
  events.on('job:start', ({ job }) => {
    change(job.flags, 1)
    endLook()
  })
  events.on('worker:getJob:empty', () => endLook())
  events.on('worker:getJob:error', () => endLook())
  events.on('job:complete', ({ job }) => change(job.flags, -1))

  return async () => {
    const before = lastLook
    const look = Promise.withResolvers<void>()
    lastLook = look.promise
    await before
    endLook = look.resolve
    const free = slots - taken
    return [...held].filter(([, count]) => count >= free).map(([mark]) => mark)
  }
}
