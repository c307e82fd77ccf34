// Brings node_modules up to date with package-lock.json, so that a clone needs no separate install step.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** How many lines of npm's output are shown: its errors come first, followed by usage hints. */
const SHOWN_LINES = 20

/** After this many milliseconds a lock counts as stale, even if a process with its id exists. */
const LONGEST_INSTALL_MS = 900_000

/**
 * Runs npm if what is installed differs from the lockfile; two processes at once wait for each other. On failure it
 * prints a sentence and npm's own output, and ends the process with 1. Prints nothing to standard output.
 */
export async function ensureInstalled() {
  if (isInstalled()) return

  const unlock = await lockInstall()
  let failure

  try {
    if (!isInstalled()) failure = await runNpm(existsSync(join(root, 'package-lock.json')) ? 'ci' : 'install')
  } finally {
    unlock()
  }

  if (failure !== undefined) {
    console.error(`The dependencies could not be installed; npm said:\n${failure}`)
    process.exit(1)
  }
}

/** Whether every package of the lockfile is installed in its version. */
const isInstalled = () => {
  const installed = readInstalled()
  return installed !== undefined && matches(installed, ({ optional }) => optional)
}

/**
 * Whether npm installed other packages than those of the lockfile, as after a pull. Packages for development may be missing; without npm's
 * record, somebody else installed them, and nothing is known.
 */
export const isOutdated = () => {
  const installed = readInstalled()
  return installed !== undefined && !matches(installed, ({ optional, dev }) => optional || dev)
}

/**
 * The packages in the record that npm writes at the end of an install. Contents are more reliable than modification times, which a clone or
 * a restored cache resets.
 */
const readInstalled = () => readPackages(join(root, 'node_modules', '.package-lock.json'))

/** Whether these are the lockfile's packages. Some may be missing, as optional ones can be for other machines, but not in another version. */
function matches(installed, mayBeMissing) {
  const wanted = Object.entries(readPackages(join(root, 'package-lock.json')) ?? {})
  return wanted.every(([path, wants]) => {
    const has = installed[path]
    return path === '' || (has === undefined ? mayBeMissing(wants) : has.version === wants.version)
  })
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

async function lockInstall() {
  const path = join(root, '.install.lock')
  const deadline = Date.now() + LONGEST_INSTALL_MS
  let told = false

  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      const unlock = () => rmSync(path, { force: true })
      process.once('exit', unlock)
      return () => {
        process.off('exit', unlock)
        unlock()
      }
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }

    if (!isHeld(path) || Date.now() > deadline) {
      setAside(path)
      continue
    }

    if (!told) console.error('Another process is installing the dependencies; waiting for it …')
    told = true
    await delay(200)
  }
}

function isHeld(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // The lock was created just now, and the process has not written its id yet.
    if (pid === 0) return true
    if (pid === process.pid) return false

    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function setAside(path) {
  const aside = `${path}.${process.pid}`

  try {
    renameSync(path, aside)
    rmSync(aside, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

/** Resolves to npm's output if it failed, or undefined if it did not. */
function runNpm(command) {
  console.error('Installing dependencies (once, about a minute) …')
  // Development dependencies are installed in production too, because the pinned Node is one of them.
  const args = [command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const { npm_execpath: npm = '' } = process.env
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] }
  const child =
    basename(npm) === 'npm-cli.js'
      ? spawn(process.execPath, [npm, ...args], options)
      : spawn('npm', args, { ...options, shell: process.platform === 'win32' })

  for (const name of ['SIGINT', 'SIGTERM']) {
    process.once(name, () => {
      child.kill(name)
      child.once('close', () => process.exit(128 + constants.signals[name]))
    })
  }

  return new Promise((resolve) => {
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        printed += chunk
      })
    }

    child.once('error', (error) => resolve(`npm could not be run (${error.message}).`))
    child.once('close', (code, name) => {
      process.removeAllListeners('SIGINT')
      process.removeAllListeners('SIGTERM')
      resolve(code === 0 ? undefined : firstLines(printed.trim()) || `nothing, and ended with ${code ?? name}.`)
    })
  })
}

function firstLines(text) {
  const lines = text.split('\n')
  return lines.length <= SHOWN_LINES ? text : `${lines.slice(0, SHOWN_LINES).join('\n')}\n…`
}
