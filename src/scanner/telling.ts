// Reports the progress of a scan: at the start of each phase, and twice a second until the scan ends.

import type { Phase } from './outcome.ts'

/** `of` is 0 if the number of steps in the phase is unknown. */
type Standing = { phase: Phase; done: number; of: number }

export type Telling = {
  /** Starts a phase of so many steps. */
  enter: (phase: Phase, of?: number) => void
  /** Counts a finished step of the phase. */
  advance: () => void
  /** Ends reporting. */
  stop: () => void
}

/** Milliseconds between two reports. */
const EVERY = 500

export function openTelling(tell: (standing: Standing) => void): Telling {
  let standing: Standing | null = null
  const timer = setInterval(() => standing && tell(standing), EVERY)
  return {
    enter(phase, of = 0) {
      standing = { phase, done: 0, of }
      tell(standing)
    },
    advance() {
      if (standing) standing = { ...standing, done: standing.done + 1 }
    },
    stop: () => clearInterval(timer),
  }
}
