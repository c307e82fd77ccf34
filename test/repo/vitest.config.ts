// How the repository's tests of itself run: on its files alone, without a database.

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/repo/*.test.ts'], isolate: false, testTimeout: 120_000 },
})
