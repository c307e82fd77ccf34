// Starts the server from a clone: installs what is missing, then serves.
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'
import { runUnderPinnedNode } from './pinned.mjs'

await ensureInstalled()

runUnderPinnedNode(join(root, 'src', 'cli', 'main.ts'), ['serve', ...process.argv.slice(2)], {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
})
