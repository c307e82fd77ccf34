// How the pictures of the pages are made: as the stories run, from the same service.

import { defineConfig, mergeConfig } from 'vitest/config'
import stories from './vitest.config.ts'

const { include: _, ...rest } = stories.test ?? {}

export default mergeConfig({ test: rest }, defineConfig({ test: { include: ['web/e2e/pictures.ts'] } }))
