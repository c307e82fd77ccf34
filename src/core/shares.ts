// Decides whose job a worker takes next: a company gets another slot only while more are free than it holds.

import type { WorkerEvents } from 'graphile-worker'
import { idsIn } from './ids.ts'

/** What a job of a company is marked with, so that it can be passed over; null for one of no company. */
export function marksOf(payload: unknown): string[] | null {
  const of = idsIn(payload, 'companyId')
  return of && [`company ${of.companyId}`]
}

/**
 * For a worker that tells `events` and has so many slots: answers with the marks of jobs that a look for the next one passes over. Of
 * eight slots one company holds four at most, two hold three each, and only eight hold all. A look begins when the one before
 * has ended: side by side they would not know what each other take.
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
