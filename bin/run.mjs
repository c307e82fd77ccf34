// Runs one of the project's tools or TypeScript files under the pinned Node: node bin/run.mjs <tool or file> …
import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensureInstalled, root } from './install.mjs'
import { runInPlace, runUnderPinnedNode } from './pinned.mjs'

const [name, ...args] = process.argv.slice(2)

if (name === undefined) {
  console.error('Usage: node bin/run.mjs <tool or file.ts> [arguments]')
  process.exit(2)
}

await ensureInstalled()

if (/\.[cm]?[jt]s$/.test(name)) {
  runUnderPinnedNode(resolve(root, name), args)
} else {
  runTool(join(root, 'node_modules', '.bin', name))
}

function runTool(link) {
  if (!existsSync(link)) {
    console.error(`There is no tool "${name}" in node_modules/.bin.`)
    process.exit(127)
  }

  // On Windows npm creates batch files here, which find Node through the PATH that runInPlace sets.
  if (process.platform === 'win32') return runInPlace(`"${link}.cmd"`, args, {}, { shell: true })

  const file = realpathSync(link)
  if (isScript(file)) runUnderPinnedNode(file, args)
  else runInPlace(file, args)
}

function isScript(file) {
  const head = Buffer.alloc(64)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, head)
  closeSync(descriptor)

  return /^#!.*\bnode\b/.test(head.toString('latin1'))
}
