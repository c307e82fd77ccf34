// Reports the progress of a scan: at the start of each phase, and twice a second until the scan ends.

import type { Phase } from './outcome.ts'

/** `of` 0: nobody knows how many steps the phase has. */
type Standing = { phase: Phase; done: number; of: number }

export type Telling = {
  /** A phase of so many steps begins. */
  enter: (phase: Phase, of?: number) => void
  /** A step of the phase is done. */
  advance: () => void
  /** Nothing is told from now on. */
  stop: () => void
}

/** Milliseconds between two tellings. */
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
