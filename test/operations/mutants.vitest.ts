// The tests that must notice the changes of mutants.ts: those of access and of ids, in one thread, on one database.

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/core/ids.test.ts', 'src/modules/access/*.test.ts'],
    // tries every mutation of the schema with a read-only key: slow, and covered by authorize.test.ts
    exclude: ['src/modules/access/scopes.test.ts'],
    globalSetup: ['test/testkit/global-setup.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
