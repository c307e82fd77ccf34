// What can be known of other processes on this machine: whether one is alive, when it began, and which ones serve a cluster.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../../error-code.ts'

const PROC = '/proc'

/**
 * A text that differs between two processes that had the same id at different times, or undefined when no process with
 * this id runs (one that ended and was not yet reaped does not run). Exact on Linux (boot id and start tick), to the
 * second on macOS; elsewhere only that something with this id is alive.
 */
export function startMark(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = readOrUndefined(`${PROC}/${pid}/stat`)
    if (stat === undefined) return undefined

    // The second field is the program's name in parentheses and may itself hold spaces and parentheses (proc(5)).
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined

    return `${readOrUndefined(`${PROC}/sys/kernel/random/boot_id`)?.trim() ?? ''}:${rest[18] ?? ''}`
  }

  if (!respondsToSignals(pid)) return undefined
  if (process.platform !== 'darwin') return 'alive'

  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

/**
 * The ids of the PostgreSQL processes that serve the cluster in `directory` (a real path), children included on Linux,
 * where the kernel knows each one's working directory. Elsewhere the one that postmaster.pid names, when it is alive.
 */
export function findServers(directory: string): number[] {
  if (process.platform !== 'linux') {
    const [pid, servedDirectory] = (readOrUndefined(join(directory, 'postmaster.pid')) ?? '').split('\n')
    const found = Number(pid)
    return found > 0 && resolve(servedDirectory ?? '') === directory && respondsToSignals(found) ? [found] : []
  }

  return readdirSync(PROC)
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (name) =>
        linkOrUndefined(`${PROC}/${name}/cwd`) === directory &&
        basename(linkOrUndefined(`${PROC}/${name}/exe`) ?? '').startsWith('postgres'),
    )
    .map(Number)
}

/** Waits until none of the processes runs, or until `milliseconds` have passed; says whether all ended. */
export async function waitForEnd(pids: number[], milliseconds: number): Promise<boolean> {
  const deadline = Date.now() + milliseconds

  while (pids.some((pid) => startMark(pid) !== undefined)) {
    if (Date.now() >= deadline) return false
    await delay(10)
  }

  return true
}

/** Sends a signal; a process that is gone already is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

function respondsToSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function linkOrUndefined(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
