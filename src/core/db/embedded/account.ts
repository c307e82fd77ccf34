// Decides which account PostgreSQL runs under, and what that account can reach.

import { readFileSync, type Stats, statSync } from 'node:fs'
import { lchown, readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../errors.ts'

export type Account = { uid: number; gid: number }

/**
 * The account for the cluster, or undefined for the one that this process runs as. PostgreSQL refuses to run as root:
 * there it gets the account that owns the cluster already, else `nobody`; none is created.
 *
 * Throws when the cluster belongs to an account that this process cannot act for, or this process's own has no name.
 */
export function chooseAccount(cluster: string): Account | undefined {
  const uid = process.getuid?.()
  if (uid === undefined) return undefined

  const owner = statSync(cluster, { throwIfNoEntry: false })

  if (uid !== 0) {
    requireName(uid)
    if (owner === undefined || owner.uid === uid) return undefined
    throw new OperatorError(
      `The database in ${cluster} belongs to another account (uid ${owner.uid}). Start as that account or as root, or change the directory's owner.`,
    )
  }

  return owner === undefined || owner.uid === 0 ? nobody() : { uid: owner.uid, gid: owner.gid }
}

/** PostgreSQL runs under no number that has no name, as containers give out; throws where this process has one. */
function requireName(uid: number): void {
  try {
    userInfo()
  } catch {
    throw new OperatorError(
      `PostgreSQL needs an account with a name, and uid ${uid} has none in /etc/passwd. Start as another account, or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

/** Whether the account may pass through every directory above `path`, going by owner, group and mode. */
export function canReach(account: Account | undefined, path: string): boolean {
  if (account === undefined) return true

  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (!maySearch(account, statSync(directory))) return false
    if (directory === dirname(directory)) return true
  }
}

/** Gives a directory and all that is in it to the account, following no links: for a cluster that root copied. */
export async function giveTo(account: Account, directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true })

  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), account.uid, account.gid)
  await lchown(directory, account.uid, account.gid)
}

function maySearch(account: Account, stats: Stats): boolean {
  if (stats.uid === account.uid) return (stats.mode & 0o100) !== 0
  if (stats.gid === account.gid) return (stats.mode & 0o010) !== 0
  return (stats.mode & 0o001) !== 0
}

function nobody(): Account {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((candidate) => candidate.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []

  if (uid === undefined || gid === undefined) {
    throw new OperatorError(
      'PostgreSQL does not run as root, and this machine has no account "nobody" for it. Start as an ordinary user.',
    )
  }

  return { uid: Number(uid), gid: Number(gid) }
}
