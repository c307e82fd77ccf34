// `merlon root-key rotate`: wraps everything under a new root key.

import { link, rename } from 'node:fs/promises'
import type { Command } from 'commander'
import { type Config, readConfig } from '../../core/config.ts'
import { type Db, openDatabase } from '../../core/db/open.ts'
import { openKeyring } from '../../core/keyring.ts'
import { loadRootKey, openInstallationKey, type RootKeys, readRootKeys, rootKeyFile } from '../../core/root-key.ts'
import { openInstallation } from '../database.ts'
import { say } from '../output.ts'
import { WrongUse } from '../wrong-use.ts'

export function rootKey(group: Command): void {
  group.command('rotate').description('encrypt the keys of all companies with a new root key').action(rotate)
}

async function rotate(): Promise<void> {
  const config = readConfig(process.env)
  const { connection, isServed, close } = await openInstallation(config)
  const { db } = openDatabase({ connection, connections: 2, statementTimeout: 0 })
  try {
    const isOfFile = config.rootKey === null
    if (isOfFile && isServed) throw new WrongUse('A service is running with the root key in the file; stop it first')
    const keys = isOfFile ? await newFileKey(db, config) : await readRootKeys(db, config)
    if (!keys.previous)
      throw new WrongUse('Give the new key as MERLON_ROOT_KEY and the old one as MERLON_PREVIOUS_ROOT_KEY')
    const rewrapped = await openKeyring(keys, await openInstallationKey(db, keys)).rewrap(db)
    const former = isOfFile ? await replaceFileKey(config) : 'MERLON_PREVIOUS_ROOT_KEY'
    say(`${rewrapped} data keys are under the new root key`)
    say(`Backups made before now need the former key: keep ${former} for as long as you keep them`)
  } finally {
    await db.destroy()
    await close()
  }
}

/**
 * A new key, stored beside the old one before anything is encrypted with it, so that the next rotation finds it and completes one that was
 * interrupted.
 */
async function newFileKey(db: Db, config: Config): Promise<RootKeys> {
  const { current: previous } = await readRootKeys(db, config)
  return { current: await loadRootKey(null, nextFile(config)), previous }
}

/** Replaces the old key by the new one; the old one stays beside it in a file named by the time. Returns that file. */
async function replaceFileKey(config: Config): Promise<string> {
  const file = rootKeyFile(config)
  const former = `${file}.${new Date().toISOString().replaceAll(':', '')}`
  await link(file, former)
  await rename(nextFile(config), file)
  return former
}

const nextFile = (config: Config) => `${rootKeyFile(config)}.next`
