// The tests that start servers, targets of scans, databases and browsers of their own: they wait, and share the cores with them.

import { defineConfig, mergeConfig } from 'vitest/config'
import { shared } from './vitest.config.ts'

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      // more than elsewhere: a third of their time is spent waiting
      maxWorkers: 5,
      include: ['src/**/*.apart.test.ts', 'test/**/*.apart.test.ts'],
      // what starts, kills and restores servers takes a minute and a half where others are at work too
      testTimeout: 600_000,
      hookTimeout: 600_000,
    },
  }),
)
