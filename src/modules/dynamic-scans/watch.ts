// Watches a scan that runs: notices when its run is canceled, records its progress, and imports what it has found so far.

import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkParts } from '../context.ts'
import * as store from './store.ts'

/** Milliseconds between two looks at whether the run was canceled, and between two takings in of what was found. */
const LOOK = 250
const TAKING_IN = 3_000

export type Watched = {
  key: store.RunKey
  progress: () => store.Progress
  takeIn: () => Promise<void>
  /** ends the scan */
  abort: () => void
}

/** Until it is stopped; what is under way then comes to its end first. */
export function watch(
  { db, log }: WorkParts,
  { key, progress, takeIn, abort }: Watched,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const every = async (pause: number, work: () => Promise<void>) => {
    while (!signal.aborted) {
      await sleep(pause, undefined, { signal }).catch(() => {})
      if (!signal.aborted) await work()
    }
  }
  const looking = every(LOOK, async () => {
    if ((await store.noteProgress(db, key, progress())) !== 'RUNNING') abort()
  }).catch((err: unknown) => {
    log.warn({ err, scanId: key.scanId }, 'A scan could not be told about')
    abort()
  })
  // apart from the looks: it waits for as long as another report of the asset goes in. What fails is tried again at the end
  const takingIn = every(TAKING_IN, takeIn).catch((err: unknown) => {
    log.warn({ err, scanId: key.scanId }, 'What a scan found so far could not be taken in')
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([looking, takingIn])
    },
  }
}
