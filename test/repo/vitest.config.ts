// How the tests of the repository's rules run: only these files, without a database.

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/repo/*.test.ts'], isolate: false, testTimeout: 120_000 },
})
