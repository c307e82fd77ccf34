// Provides a temporary directory while a command runs.

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `work` with a new directory that only its owner can read, and removes it afterwards, also if the command is interrupted. */
export async function withDirectory<T>(name: string, work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), `merlon-${name}-`))
  const clear = () => rmSync(directory, { recursive: true, force: true })
  const interrupt = (signal: NodeJS.Signals) => {
    clear()
    process.exit(128 + constants.signals[signal])
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return await work(directory)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    clear()
  }
}
