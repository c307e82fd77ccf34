// How the screenshots are taken: like the browser tests, against the same service.

import { defineConfig, mergeConfig } from 'vitest/config'
import stories from './vitest.config.ts'

const { include: _, ...rest } = stories.test ?? {}

export default mergeConfig(
  { test: rest },
  defineConfig({ test: { include: ['web/e2e/pictures.ts'], env: { MERLON_TEST_PICTURES: '1' } } }),
)
