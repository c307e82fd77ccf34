// How the stories in a browser run: one after the other, against the real service on a database of their own.

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['web/**/*.test.ts'],
    globalSetup: ['web/e2e/build.ts', 'test/testkit/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default'],
  },
})
