// Starts the server from a clone: installs what is missing, then serves. package.json runs it with exec, so that no shell
// between npm and this dies of a signal that the service still answers; on Windows, exec.cmd stands for it.
import { join } from 'node:path'
import { buildConsole } from './console.mjs'
import { ensureInstalled, root } from './install.mjs'
import { runUnderPinnedNode } from './pinned.mjs'
import { servingEnvironment } from './serving.mjs'

/** The milliseconds within which a first start answers. */
const FIRST_ANSWER = 3_000

await ensureInstalled()
// The build waits until the service answers, and does not delay it; until the console is built, its pages say so.
setTimeout(buildConsole, FIRST_ANSWER)

runUnderPinnedNode(join(root, 'src', 'cli', 'main.ts'), ['serve', ...process.argv.slice(2)], {
  ...servingEnvironment(),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
})
