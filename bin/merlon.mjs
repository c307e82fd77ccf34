#!/usr/bin/env node
// Starts the command line; installs nothing, because a command's time and output belong to its caller.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isOutdated, root } from './install.mjs'
import { runUnderPinnedNode } from './pinned.mjs'
import { servingEnvironment } from './serving.mjs'

/** The commands that run until they are stopped, with the memory that `npm start` takes. */
const SERVERS = ['serve', 'worker']

if (!existsSync(join(root, 'node_modules'))) {
  console.error(`The dependencies of ${root} are not installed: run "npm start" or "npm ci" there first.`)
  process.exit(1)
}

const isServer = SERVERS.includes(process.argv[2])

const child = runUnderPinnedNode(join(root, 'src', 'cli', 'main.ts'), process.argv.slice(2), {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
  ...(isServer ? servingEnvironment() : {}),
})

// Two long files are read for this, while Node starts: the first answer does not wait for it.
if (isServer && isOutdated()) {
  child.kill()
  console.error(
    `The dependencies of ${root} are older than its package-lock.json: run "npm ci" there, and start again.`,
  )
  process.exit(1)
}
