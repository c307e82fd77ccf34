// Checks whether the built console matches the sources of this checkout, and builds it if it does not.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { root } from './install.mjs'
import { pinnedNode } from './pinned.mjs'

/** The priority of the build process: positive values yield to other processes. */
const PATIENT = 10

/** A hash of everything that the build reads. Contents are more reliable than modification times, which a clone resets. */
export function stampOf() {
  const web = join(root, 'web')
  const names = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|css|html|svg)$/.test(name) && !/^(dist|e2e)|\.generated\./.test(name))
    .sort()
  const hash = createHash('sha256')
  for (const name of names) hash.update(`${name}\0`).update(readFileSync(join(web, name)))
  for (const name of ['package-lock.json', 'scripts/build-web.ts']) hash.update(readFileSync(join(root, name)))
  return hash.digest('hex')
}

function isConsoleBuilt() {
  try {
    return readFileSync(join(root, 'web', 'dist', '.stamp'), 'utf8') === stampOf()
  } catch {
    return false
  }
}

/**
 * Builds the console if its sources have changed or it was never built, at a low priority, and resolves to whether it
 * is available. The build's output goes to standard error.
 */
export function buildConsole() {
  if (isConsoleBuilt()) return Promise.resolve(true)
  console.error('Building the console (some seconds, after each change of its sources) …')
  const { command, flags } = pinnedNode()
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const child = spawn(command, [...flags, join(root, 'scripts', 'build-web.ts')], options)

  return new Promise((resolve) => {
    child.once('spawn', () => {
      try {
        setPriority(child.pid, PATIENT)
      } catch {
        // It may have ended already.
      }
    })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => {
      if (code !== 0) console.error('The console could not be built; everything else works without it.')
      resolve(code === 0)
    })
  })
}
