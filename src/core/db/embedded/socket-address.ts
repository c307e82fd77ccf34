// The address by which clients reach the cluster's Unix socket, however long the cluster's path is.

import { createHash } from 'node:crypto'
import { lutimesSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../error-code.ts'

/** The socket lies in the cluster's own directory, which no two clusters share, so the number only names the file. */
export const SOCKET_PORT = 5432

/** Bytes of sockaddr_un.sun_path without its final zero (unix(7), and unix(4) of macOS). */
const LONGEST_PATH = process.platform === 'darwin' ? 103 : 107

/** Temporary directories are commonly swept of what was not used for ten days, and earlier on some systems. */
const TOUCH_INTERVAL_MS = 3_600_000

/**
 * The directory to give to `pg` as host, and a function that removes what was made for it. The cluster's own directory
 * where its path is short enough; else a link to it in a private directory (mode 0700) below the temporary directory,
 * which is used only when it is this account's and nobody else's.
 */
export async function openSocketAddress(cluster: string): Promise<{ host: string; close(): Promise<void> }> {
  if (Buffer.byteLength(join(cluster, `.s.PGSQL.${SOCKET_PORT}`)) <= LONGEST_PATH) {
    return { host: cluster, close: async () => undefined }
  }

  const directory = await makePrivateDirectory(cluster)
  const host = join(directory, 'pg')
  await linkTo(cluster, host)

  const timer = setInterval(() => touch(directory, host), TOUCH_INTERVAL_MS).unref()

  return {
    host,
    close: async () => {
      clearInterval(timer)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function makePrivateDirectory(cluster: string): Promise<string> {
  const name = createHash('sha256').update(cluster).digest('hex').slice(0, 12)
  const directory = join(tmpdir(), `merlon-${name}`)

  try {
    await mkdir(directory, { mode: 0o700 })
    return directory
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }

  const stats = await lstat(directory)
  const isOurs = stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0
  return isOurs ? directory : mkdtemp(join(tmpdir(), 'merlon-'))
}

async function linkTo(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    if ((await readlink(path)) === target) return

    await rm(path)
    await symlink(target, path)
  }
}

function touch(...paths: string[]): void {
  const now = new Date()

  for (const path of paths) {
    try {
      lutimesSync(path, now, now)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
  }
}
