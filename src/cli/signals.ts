// Ends commands in an orderly way at the first SIGINT or SIGTERM; further signals have no effect.

import { constants } from 'node:os'
import type { Log } from '../core/log.ts'

let isTold = false
const remember = () => {
  isTold = true
}

/**
 * Keeps signals from ending the process until stopWhenTold is called, which then stops at once. Meanwhile the command is loaded; without
 * this, a start that is stopped in its first second leaves the database of a killed service running.
 */
export function rememberSignals(): void {
  process.on('SIGINT', remember)
  process.on('SIGTERM', remember)
}

/**
 * For a command that runs until then: ends it with 0, after `stop`, which closes what is open by then and must not throw. Returns whether
 * the process was told to stop.
 */
export function stopWhenTold(log: Log, stop: () => Promise<void>): () => boolean {
  let isStopping = false
  const end = async () => {
    if (isStopping) return
    isStopping = true
    await stop().catch((err: unknown) => log.error({ err }, 'The stop was not clean'))
    log.flush()
    process.exit(0)
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  if (isTold) void end()
  return () => isStopping
}

/** Whether work is under way that breaks off by itself when the process is told to end. */
let isBreakable = false
let exitCode: number | null = null

const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/** 128 and the number of the signal at which work was broken off; null if none was. */
export const brokenOffWith = (): number | null => exitCode

/**
 * Runs work whose `signal` is aborted when the process is told to end. It has to fail then, and the command ends as after any failure, but
 * with the exit code brokenOffWith().
 */
export async function breakOffWhenTold<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const told = new AbortController()
  const breakOff = (signal: NodeJS.Signals) => {
    exitCode = codeOf(signal)
    told.abort()
  }
  process.once('SIGINT', breakOff).once('SIGTERM', breakOff)
  isBreakable = true
  try {
    return await work(told.signal)
  } finally {
    isBreakable = false
    process.off('SIGINT', breakOff).off('SIGTERM', breakOff)
  }
}

/**
 * For a command that ends by itself: ends it with 128 and the signal's number, after `tidy`, which stops what would outlive the process.
 */
export function tidyWhenTold(tidy: () => Promise<void>): void {
  const end = (signal: NodeJS.Signals) => {
    if (isBreakable) return
    tidy()
      .catch(() => {})
      .finally(() => process.exit(codeOf(signal)))
  }
  process.once('SIGINT', end).once('SIGTERM', end)
}
