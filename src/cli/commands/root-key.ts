// `merlon root-key rotate`: puts everything under a new root key.

import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Config, readConfig } from '../../core/config.ts'
import { loadRootKey } from '../../core/crypto.ts'
import { openDatabase } from '../../core/db/open.ts'
import { openKeyring } from '../../core/keyring.ts'
import { openInstallationKey, type RootKeys, readRootKeys } from '../../core/root-key.ts'
import { WrongUse } from '../client.ts'
import { openInstallation } from '../database.ts'
import { say } from '../output.ts'

export function rootKey(group: Command): void {
  group.command('rotate').description('put everything under a new root key').action(rotate)
}

async function rotate(): Promise<void> {
  const config = readConfig(process.env)
  const { connection, isServed, close } = await openInstallation(config)
  try {
    const isOfFile = config.rootKey === null
    if (isOfFile && isServed) throw new WrongUse('A service runs with the root key of the file; stop it first')
    const keys = isOfFile ? await newFileKey(config) : await readRootKeys(config)
    if (!keys.previous)
      throw new WrongUse('Give the new key as MERLON_ROOT_KEY and the old one as MERLON_PREVIOUS_ROOT_KEY')
    const { db } = openDatabase({ connection, connections: 2, statementTimeout: 0 })
    const rewrapped = await rewrap(db, keys).finally(() => db.destroy())
    if (isOfFile) await rename(nextFile(config), join(config.data, 'root-key'))
    say(`${rewrapped} data keys are under the new root key`)
  } finally {
    await close()
  }
}

async function rewrap(db: Parameters<typeof openInstallationKey>[0], keys: RootKeys): Promise<number> {
  return openKeyring(keys, await openInstallationKey(db, keys)).rewrap(db)
}

/**
 * A new key, kept beside the old one before anything is under it: a rotation that was cut short is completed by the next, which
 * finds the key there.
 */
async function newFileKey(config: Config): Promise<RootKeys> {
  const { current: previous } = await readRootKeys(config)
  return { current: await loadRootKey(null, nextFile(config)), previous }
}

const nextFile = ({ data }: Config) => join(data, 'root-key.next')
