// Builds the console right after an install, so that the first start does not have to.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from './console.mjs'
import { root } from './install.mjs'

// Without development packages there is nothing to build with; a published package already contains the build.
if (existsSync(join(root, 'node_modules', 'vite'))) await buildConsole()
