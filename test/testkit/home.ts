// The home of a worker's tests: a database, a data directory and an administrator that no other worker's tests touch.

import type { PoolConfig } from 'pg'
import { inject } from 'vitest'

export type Home = {
  connection: Pick<PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'> & { password?: string }
  dataDirectory: string
  administratorKey: string
}

declare module 'vitest' {
  interface ProvidedContext {
    homes: Home[]
  }
}

/** The home of the worker that runs this test. */
export function home(): Home {
  const found = inject('homes')[Number(process.env.VITEST_POOL_ID) - 1]
  if (!found) throw new Error('There is no home for this worker')
  return found
}
