// Ends a long-running command in an orderly way, with exit code 0, at the first SIGINT or SIGTERM; further signals have no effect.

import type { Log } from '../core/log.ts'

/** Returns whether the process was told to stop. `stop` closes what is open by then, and must not throw. */
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
  return () => isStopping
}
