// Runs a program under the Node version that package.json pins, passing on signals and its exit code.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { root } from './install.mjs'

/**
 * In milliseconds: a repeated signal within this time counts as one, because npm passes on what the terminal has
 * already sent to all processes.
 */
const SAME_SIGNAL_MS = 1_000

const ANCESTOR_CHECK_MS = 250

/**
 * The command that runs TypeScript from source: the pinned Node or, if npm did not run its install script, the current
 * Node if it is new enough. Without either, it says what to do and ends the process with 1.
 */
export function pinnedNode() {
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return { command: pinned, flags: [] }

  // The first versions that strip types without a flag; those before 24 print a warning about it at each start.
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major >= 24) return { command: process.execPath, flags: [] }
  if ((major === 22 && minor >= 18) || (major === 23 && minor >= 6)) {
    return { command: process.execPath, flags: ['--disable-warning=ExperimentalWarning'] }
  }

  console.error(
    `npm did not run install scripts, so the pinned Node 26 is missing and this Node ${process.versions.node} is too old: run "npm rebuild node --ignore-scripts=false", or use Node 26.`,
  )
  process.exit(1)
}

/** Runs a file under the pinned Node, and ends this process with the same exit code; returns the child. */
export function runUnderPinnedNode(file, args, env = {}) {
  const { command, flags } = pinnedNode()
  return runInPlace(command, [...flags, file, ...args], env)
}

/**
 * Runs a program in this terminal, passes signals on, and ends this process with its exit code, or with 128 plus the
 * number of its signal. Returns the child.
 */
export function runInPlace(command, args, env = {}, options = {}) {
  const path = [dirname(pinnedNode().command), process.env.PATH].join(delimiter)
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, PATH: path, ...env }, ...options })
  const lastSent = new Map()

  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      // The terminal sends Ctrl-C to every process in the foreground, so the child already has it.
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
  return child
}

/**
 * Calls back once npm, or the shell between it and us, has ended. npm passes its signals to that shell, which dies
 * without telling anybody, and the program would run on unnoticed. Does not apply without npm, because then the parent
 * may rightly end before us.
 */
function endWithAncestors(end) {
  const ancestors = readAncestors()
  const timer = setInterval(() => {
    if (readAncestors() === ancestors) return

    clearInterval(timer)
    end()
  }, ANCESTOR_CHECK_MS)
}

/** The parent's process id and, where /proc is available, its parent's as well: "shell npm". */
function readAncestors() {
  const { ppid } = process

  try {
    const stat = readFileSync(`/proc/${ppid}/stat`, 'utf8')
    return `${ppid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return String(ppid)
  }
}
