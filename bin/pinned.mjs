// Runs a program under the Node version that package.json pins, passing signals and its exit code through.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { root } from './install.mjs'

/** Milliseconds in which the same signal counts as one: npm passes on what the terminal has sent to all already. */
const SAME_SIGNAL_MS = 1_000

const ANCESTOR_CHECK_MS = 250

/**
 * The command that runs TypeScript from source: the pinned Node, or this one where npm did not run the pinned one's
 * install script and this one is new enough. Without either it says what to do and ends the process with 1.
 */
export function pinnedNode() {
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return { command: pinned, flags: [] }

  // The first versions that strip types without a flag; those before 24 warn of it at each start.
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major >= 24) return { command: process.execPath, flags: [] }
  if ((major === 22 && minor >= 18) || (major === 23 && minor >= 6)) {
    return { command: process.execPath, flags: ['--disable-warning=ExperimentalWarning'] }
  }

  console.error(
    `npm did not run install scripts, so the pinned Node 24 is missing and this Node ${process.versions.node} is too old: run "npm rebuild node --ignore-scripts=false", or use Node 24.`,
  )
  process.exit(1)
}

/** Runs a file under the pinned Node and ends this process as it ends. */
export function runUnderPinnedNode(file, args, env = {}) {
  const { command, flags } = pinnedNode()
  runInPlace(command, [...flags, file, ...args], env)
}

/** Runs a program with our terminal, passes signals on, and ends this process with its code, or 128 and its signal. */
export function runInPlace(command, args, env = {}, options = {}) {
  const path = [dirname(pinnedNode().command), process.env.PATH].join(delimiter)
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, PATH: path, ...env }, ...options })
  const lastSent = new Map()

  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      // The terminal sends Ctrl-C to every process in front of it, so the child has it already.
      if (name === 'SIGINT' && [0, 1, 2].some(isatty)) return
      if (Date.now() - (lastSent.get(name) ?? 0) < SAME_SIGNAL_MS) return

      lastSent.set(name, Date.now())
      child.kill(name)
    })
  }

  if (process.env.npm_lifecycle_event !== undefined) {
    endWithAncestors(() => lastSent.size === 0 && child.kill('SIGTERM'))
  }

  child.once('error', (error) => {
    console.error(`${command} could not be run (${error.message}).`)
    process.exit(1)
  })
  child.once('exit', (code, name) => process.exit(code ?? 128 + constants.signals[name]))
}

/**
 * Calls back when npm, or the shell between it and us, has ended: npm hands its signals to that shell, which dies of them
 * and tells nobody, and what was started would go on unseen. Not for who started us without npm, who may well leave.
 */
function endWithAncestors(end) {
  const ancestors = readAncestors()
  const timer = setInterval(() => {
    if (readAncestors() === ancestors) return

    clearInterval(timer)
    end()
  }, ANCESTOR_CHECK_MS)
}

/** Our parent's number, and on Linux, where it can be read, that of its parent: "shell npm". */
function readAncestors() {
  const { ppid } = process

  try {
    const stat = readFileSync(`/proc/${ppid}/stat`, 'utf8')
    return `${ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return String(ppid)
  }
}
