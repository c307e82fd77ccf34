// Creates the database cluster once, so that a crash halfway leaves nothing behind, and writes who may connect.

import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../error-code.ts'
import { OperatorError } from '../../errors.ts'
import { type Account, canReach, giveTo } from './account.ts'
import type { Binaries } from './binaries.ts'

/** The role that owns the cluster, used only to make the application's own. */
export const SUPERUSER = 'postgres'

/** The application's role and database: the role owns the database and is no superuser. */
export const APPLICATION = 'merlon'

const MAJOR_VERSION = '18'
const DRAFT_PREFIX = 'postgres.init-'

export type Cluster = {
  /** Real path of the cluster; owned by the account, mode 0700. */
  directory: string
  account: Account | undefined
  binaries: Binaries
  /** What both roles log in with where the operating system does not vouch for who connects (Windows). */
  password: string | undefined
}

/**
 * Makes `<dataDirectory>/postgres` unless it is there, and renews the files that say who may connect, since the account
 * that serves may have changed. Call it holding the data directory's lock. Throws when the cluster was made by another
 * major version of PostgreSQL, and, with what it printed, when initdb fails.
 */
export async function prepareCluster(cluster: Cluster, dataDirectory: string): Promise<void> {
  for (const name of await readdir(dataDirectory)) {
    // An initdb whose parent was killed may still write here; what resists is removed at a later start.
    if (name.startsWith(DRAFT_PREFIX)) await rm(join(dataDirectory, name), { recursive: true }).catch(() => undefined)
  }

  if (!existsSync(cluster.directory)) await initialise(cluster, dataDirectory)

  const version = readFileSync(join(cluster.directory, 'PG_VERSION'), 'utf8').trim()
  if (version !== MAJOR_VERSION) {
    throw new OperatorError(
      `The database in ${cluster.directory} was made by PostgreSQL ${version}, and this is PostgreSQL ${MAJOR_VERSION}. Dump it with the former and restore it here.`,
    )
  }

  // Root's own copy of a cluster (a restored backup) is given to the account, because PostgreSQL refuses to run as root.
  if (cluster.account !== undefined && statSync(cluster.directory).uid === 0) {
    await giveTo(cluster.account, cluster.directory)
  }

  await writeAccess(cluster)
}

/**
 * How the account names a directory that it may own but not reach, such as one below root's home: through a descriptor
 * that root opened and the child inherits as number 3. So the data stays where it was asked to be, and no directory is
 * opened up. Linux only; PostgreSQL changes into the directory once and uses relative paths from then on.
 */
export function reachDirectory(cluster: Cluster, directory: string): { path: string; descriptor?: number } {
  if (canReach(cluster.account, directory)) return { path: directory }
  if (process.platform === 'linux') return { path: '/proc/self/fd/3', descriptor: openSync(directory, 'r') }

  throw new OperatorError(
    `PostgreSQL does not run as root, and its account cannot reach ${directory}. Start as an ordinary user.`,
  )
}

/** The password that both roles have on Windows, made at the first start; undefined where the kernel names the caller. */
export async function readPassword(dataDirectory: string): Promise<string | undefined> {
  if (process.platform !== 'win32') return undefined
  const path = join(dataDirectory, 'postgres.password')

  try {
    await writeFile(path, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }

  return readFileSync(path, 'utf8').trim()
}

async function initialise(cluster: Cluster, dataDirectory: string): Promise<void> {
  const draft = join(dataDirectory, `${DRAFT_PREFIX}${randomUUID()}`)
  await mkdir(draft, { mode: 0o700 })
  if (cluster.account !== undefined) await chown(draft, cluster.account.uid, cluster.account.gid)

  try {
    await runInitdb(cluster, draft, join(dataDirectory, 'postgres.password'))
    await rename(draft, cluster.directory)
    await flush(dataDirectory)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function runInitdb(cluster: Cluster, directory: string, passwordFile: string): Promise<void> {
  const { path, descriptor } = reachDirectory(cluster, directory)
  const access = cluster.password === undefined ? ['--auth=peer'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]

  const child = spawn(
    cluster.binaries.executable('initdb'),
    [
      `--pgdata=${path}`,
      `--username=${SUPERUSER}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--data-checksums',
      '--no-instructions',
      ...access,
    ],
    // Detached, so that Ctrl-C at the terminal does not leave a half-made cluster to explain.
    { ...childOptions(cluster), detached: true, stdio: ['ignore', 'pipe', 'pipe', descriptor ?? 'ignore'] },
  )
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  child.stderr?.on('data', (chunk) => {
    printed += chunk
  })

  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    if (code !== 0) throw new OperatorError(`PostgreSQL could not make its cluster in ${directory}: ${printed.trim()}`)
  } catch (error) {
    throw explainSpawnError(error, cluster)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** What every PostgreSQL process is started with: its account, a directory it can be in, and none of our environment. */
export function childOptions(cluster: Cluster): { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv } {
  const { PATH, SystemRoot, TEMP } = process.env
  // Without LC_ALL, macOS loads locale code that starts threads, which PostgreSQL refuses.
  return { ...cluster.account, cwd: cluster.binaries.directory, env: { PATH, SystemRoot, TEMP, LC_ALL: 'C' } }
}

/** Turns what the operating system says of a program that could not be started into a sentence that says what to do. */
export function explainSpawnError(error: unknown, cluster: Cluster): unknown {
  if (hasCode(error, 'EPERM', 'EINVAL')) {
    return new OperatorError(
      'This root may not act for other accounts, and PostgreSQL does not run as root. Start as an ordinary user.',
    )
  }
  if (hasCode(error, 'ENOENT', 'EACCES')) {
    return new OperatorError(
      `The PostgreSQL in ${cluster.binaries.directory} does not run on this machine (on Linux it needs glibc, and a file system that allows programs). Set DATABASE_URL to a PostgreSQL server instead.`,
      { cause: error },
    )
  }
  return error
}

/**
 * The kernel says who is at the other end of a Unix socket (peer), so no secret is kept: this process' account may be
 * either role, no other account any. On Windows both roles need the password.
 */
async function writeAccess(cluster: Cluster): Promise<void> {
  const rule =
    cluster.password === undefined ? 'local all all peer map=merlon\n' : 'host all all 127.0.0.1/32 scram-sha-256\n'
  const { username } = userInfo()
  const map = [SUPERUSER, APPLICATION].map((role) => `merlon "${username}" ${role}\n`).join('')

  await replaceFile(cluster, 'pg_hba.conf', rule)
  await replaceFile(cluster, 'pg_ident.conf', map)
}

/** Never writes through a name that the account could have made a link of: root would follow it. */
async function replaceFile(cluster: Cluster, name: string, content: string): Promise<void> {
  const draft = join(cluster.directory, `${name}.${randomUUID()}`)
  const file = await open(draft, 'wx', 0o600)

  try {
    await file.writeFile(content)
    if (cluster.account !== undefined) await file.chown(cluster.account.uid, cluster.account.gid)
  } finally {
    await file.close()
  }

  await rename(draft, join(cluster.directory, name))
}

async function flush(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')

  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
