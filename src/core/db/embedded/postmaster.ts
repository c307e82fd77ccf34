// Runs the PostgreSQL server of a cluster: starts it, waits until it answers, notices when it ends, stops it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../../error-code.ts'
import { OperatorError } from '../../errors.ts'
import { type Cluster, childOptions, explainSpawnError, reachDirectory } from './cluster.ts'
import { findServers, signal, startMark, waitForEnd } from './processes.ts'

export type Exit = { code: number | null; signal: string | null }

type Postmaster = { pid: number; exited: Promise<Exit> }

/** Milliseconds that recovery may take before a start counts as failed; long because a large write-ahead log is replayed. */
const START_LIMIT_MS = 600_000

/** Milliseconds for a fast shutdown, whose checkpoint writes what is in memory, and then for an immediate one. */
const FAST_STOP_LIMIT_MS = 30_000
const IMMEDIATE_STOP_LIMIT_MS = 5_000

/** One machine shared with the application: modest memory, every commit on disk, no parallel plans on few cores. */
const SETTINGS: Record<string, string> = {
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Nothing replicates from here, so rows that are loaded into a table of the same transaction need no log.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  // Parallel plans take /dev/shm, of which containers have 64 MB, and the cores that serve.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_line_prefix: '[%p] ',
}

/**
 * Starts the server and waits until it takes connections. Ends first whatever still serves the cluster: a server whose
 * own parent was killed, or children that outlived theirs and hold its shared memory. Throws with the server's last
 * words when it ends before it is ready.
 */
export async function startPostmaster(
  cluster: Cluster,
  port: number,
  log: (line: string) => void,
  settings: Record<string, string> = {},
): Promise<Postmaster> {
  await endServers(cluster)

  const { path, descriptor } = reachDirectory(cluster, cluster.directory)
  const address: Record<string, string> =
    process.platform === 'win32'
      ? { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
      : { listen_addresses: '', unix_socket_directories: '.', unix_socket_permissions: '0700' }
  const all = { ...SETTINGS, ...settings, ...address, port: String(port) }

  const child = spawn(
    cluster.binaries.executable('postgres'),
    ['-D', path, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // Detached: Ctrl-C at the terminal reaches the application, which stops the database last.
    { ...childOptions(cluster), detached: true, stdio: ['ignore', 'ignore', 'pipe', descriptor ?? 'ignore'] },
  )
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, name) => resolve({ code, signal: name })))
  const lastLines = keepLog(child, log)

  try {
    const pid = await spawned(child)
    const ended = new AbortController()
    exited.then(() => ended.abort())
    await untilReady(cluster.directory, pid, ended.signal)
    if (ended.signal.aborted) throw new OperatorError(`PostgreSQL ended while it started: ${lastLines.join('\n')}`)

    return { pid, exited }
  } catch (error) {
    if (child.pid !== undefined) await stopPostmaster(cluster, child.pid)
    throw explainSpawnError(error, cluster)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Stops the server by a fast shutdown: transactions are rolled back, memory is written, and the next start is clean. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  if (startMark(pid) === undefined) return

  if (process.platform === 'win32') {
    await stopOnWindows(cluster)
    return
  }

  signal(pid, 'SIGINT')
  if (await waitForEnd([pid], FAST_STOP_LIMIT_MS)) return

  signal(pid, 'SIGQUIT')
  if (await waitForEnd([pid], IMMEDIATE_STOP_LIMIT_MS)) return

  signal(pid, 'SIGKILL')
  await waitForEnd([pid], IMMEDIATE_STOP_LIMIT_MS)
}

/**
 * Ends all that serves the cluster, so that the new server is our own child with our settings and our log; what was
 * committed is on disk whichever way that goes. Only for who holds the data directory's lock.
 */
async function endServers(cluster: Cluster): Promise<void> {
  const pidFile = join(cluster.directory, 'postmaster.pid')
  const recorded = await readPidFile(pidFile)
  const postmaster = findServers(cluster.directory).find((pid) => pid === recorded.pid)
  if (postmaster !== undefined) await stopPostmaster(cluster, postmaster)

  const survivors = findServers(cluster.directory)
  for (const pid of survivors) signal(pid, 'SIGKILL')
  await waitForEnd(survivors, IMMEDIATE_STOP_LIMIT_MS)

  // After a reboot or in a new container the recorded number can be another program's, and PostgreSQL would not start.
  // Elsewhere than on Linux it is not certain that nothing serves the cluster, and PostgreSQL decides.
  if (process.platform === 'linux') await rm(pidFile, { force: true })
}

async function stopOnWindows(cluster: Cluster): Promise<void> {
  const child = spawn(
    cluster.binaries.executable('pg_ctl'),
    ['stop', '-D', cluster.directory, '-m', 'fast', '-t', String(FAST_STOP_LIMIT_MS / 1000)],
    { ...childOptions(cluster), stdio: 'ignore' },
  )

  await once(child, 'exit')
}

async function spawned(child: ChildProcess): Promise<number> {
  if (child.pid === undefined) await once(child, 'spawn')
  if (child.pid === undefined) throw new Error('PostgreSQL was not started.')
  return child.pid
}

async function untilReady(directory: string, pid: number, ended: AbortSignal): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS

  while (!ended.aborted) {
    const recorded = await readPidFile(join(directory, 'postmaster.pid'))
    if (recorded.pid === pid && recorded.status === 'ready') return
    if (Date.now() >= deadline)
      throw new OperatorError(`PostgreSQL was not ready within ${START_LIMIT_MS / 1000} seconds.`)
    await delay(5)
  }
}

/** The number in the first line and the state in the eighth, as PostgreSQL writes them (its miscadmin.h). */
async function readPidFile(path: string): Promise<{ pid?: number; status?: string }> {
  try {
    const lines = (await readFile(path, 'utf8')).split('\n')
    return { pid: Number(lines[0]), status: lines[7]?.trim() }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {}
    throw error
  }
}

/** Passes the server's lines on, and gives the list that always holds the last few. */
function keepLog(child: ChildProcess, log: (line: string) => void): string[] {
  const lastLines: string[] = []
  if (child.stderr === null) return lastLines

  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLines.push(line)
    if (lastLines.length > 10) lastLines.shift()
    log(line)
  })

  return lastLines
}
