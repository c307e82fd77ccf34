// The database of this installation for commands that work on it directly, whether a service runs on it or not.

import pg, { type PoolConfig } from 'pg'
import type { Config } from '../core/config.ts'
import { connectToServed, DataDirectoryHeld, startEmbedded } from '../core/db/embedded.ts'

type Installation = { connection: PoolConfig; isServed: boolean; close: () => Promise<void> }

/** The embedded database, started for the command unless it is served already, or the server of DATABASE_URL. */
export async function openInstallation(config: Config): Promise<Installation> {
  if (config.databaseUrl !== null) {
    return { connection: { connectionString: config.databaseUrl }, isServed: false, close: async () => {} }
  }
  try {
    const embedded = await startEmbedded({ dataDirectory: config.data, log: () => {} })
    return { connection: embedded.connection, isServed: false, close: () => embedded.stop() }
  } catch (error) {
    if (!(error instanceof DataDirectoryHeld)) throw error
    const served = await connectToServed(config.data)
    return { ...served, isServed: true }
  }
}

/** Runs `use` on one connection to the installation's database. */
export async function withInstallation<T>(
  config: Config,
  use: (client: pg.Client, isServed: boolean) => Promise<T>,
): Promise<T> {
  const { connection, isServed, close } = await openInstallation(config)
  const client = new pg.Client(connection)
  try {
    await client.connect()
    return await use(client, isServed)
  } finally {
    await client.end()
    await close()
  }
}
