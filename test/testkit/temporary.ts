// Gives a test run a directory for its temporary files, and removes it when the run ends.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-tests-'))
  // some tests run as another account
  await chmod(directory, 0o755)
  process.env.TMPDIR = directory
  return () => rm(directory, { recursive: true, force: true })
}
