// A progress bar on standard error for anything longer than two seconds, when standard error is a terminal.

import { SingleBar } from 'cli-progress'

/** milliseconds of work before a bar is worth showing */
const PATIENCE = 2000

export type Progress = { update: (done: number, all: number) => void; stop: () => void }

export function openProgress(what: string): Progress {
  const startedAt = performance.now()
  let bar: SingleBar | null = null
  return {
    update(done, all) {
      if (!process.stderr.isTTY || performance.now() - startedAt < PATIENCE) return
      if (bar === null) {
        bar = new SingleBar({ format: `${what} {bar} {percentage}%`, stream: process.stderr, hideCursor: true })
        bar.start(all, done)
      }
      bar.update(done)
    },
    stop: () => bar?.stop(),
  }
}
