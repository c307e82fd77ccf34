// Watches a running scan: notices when the run is canceled, records progress, and imports findings as they come.

import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkParts } from '../context.ts'
import * as store from './store.ts'

/** Milliseconds between two checks for cancellation, and between two imports of findings. */
const LOOK = 250
const TAKING_IN = 3_000

type Watched = {
  key: store.RunKey
  progress: () => store.Progress
  takeIn: () => Promise<void>
  /** ends the scan */
  abort: () => void
}

/** Runs until it is stopped; work in progress is completed first. */
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
  // separate from the checks, because it waits while another report of the asset is imported; a failure is retried at the end
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
