// How the browser tests run: four files at a time, against the real service, with a database for each worker.

import { defineConfig } from 'vitest/config'
import { LongOnesSpread } from '../vitest.config.ts'

export default defineConfig({
  test: {
    include: ['web/**/*.test.ts'],
    setupFiles: ['test/testkit/leftovers.ts'],
    globalSetup: ['test/testkit/temporary.ts', 'web/e2e/build.ts', 'test/testkit/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    // modules are imported as the service imports them, by Node itself
    experimental: { viteModuleRunner: false },
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongOnesSpread },
    reporters: ['default'],
  },
})
