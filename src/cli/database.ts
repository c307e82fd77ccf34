// Opens this installation's database for the commands that work on it directly, whether or not a service is running.

import { resolve } from 'node:path'
import type pg from 'pg'
import type { PoolConfig } from 'pg'
import type { Config } from '../core/config.ts'
import { connectToServed, DataDirectoryHeld, hasDatabase, startEmbedded } from '../core/db/embedded.ts'
import { connectTo } from '../core/db/unusable.ts'
import { tidyWhenTold } from './signals.ts'
import { WrongUse } from './wrong-use.ts'

type Installation = { connection: PoolConfig; isServed: boolean; close: () => Promise<void> }

/** Whether a command may create the installation that it works on. */
type Making = { mayMake?: boolean }

/** The embedded database, started for the command unless it is served already, or the server of DATABASE_URL. */
export async function openInstallation(config: Config, { mayMake = false }: Making = {}): Promise<Installation> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl }
    // reports a database that cannot be used before anything is begun on it
    await (await connectTo(connection)).end()
    return { connection, isServed: false, close: async () => {} }
  }
  if (!mayMake && !hasDatabase(config.data)) {
    throw new WrongUse(
      `There is no installation in ${resolve(config.data)}: say where it is with MERLON_DATA or DATABASE_URL`,
    )
  }
  try {
    const starting = startEmbedded({ dataDirectory: config.data, log: () => {} })
    tidyWhenTold(async () => (await starting).stop())
    const embedded = await starting
    return { connection: embedded.connection, isServed: false, close: () => embedded.stop() }
  } catch (error) {
    if (!(error instanceof DataDirectoryHeld)) throw error
    const served = await connectToServed(config.data)
    return { ...served, isServed: true }
  }
}

/** Runs `use` with one connection to the installation's database. */
export async function withInstallation<T>(
  config: Config,
  use: (client: pg.Client, isServed: boolean) => Promise<T>,
  making: Making = {},
): Promise<T> {
  const { connection, isServed, close } = await openInstallation(config, making)
  try {
    const client = await connectTo(connection)
    return await use(client, isServed).finally(() => client.end())
  } finally {
    await close()
  }
}
