// Starts, restarts and stops the PostgreSQL that comes with the application, in its own data directory.

import { existsSync, realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { makeDataDirectory } from '../data-directory.ts'
import { chooseAccount } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import { APPLICATION, type Cluster, prepareCluster, readPassword, SUPERUSER } from './embedded/cluster.ts'
import { lockDataDirectory } from './embedded/lock.ts'
import { type Exit, startPostmaster, stopPostmaster } from './embedded/postmaster.ts'
import { openSocketAddress, SOCKET_PORT } from './embedded/socket-address.ts'

export { DataDirectoryHeld } from './embedded/lock.ts'

/** A running PostgreSQL; `pid` and `exited` are those of the latest start, so read them again after restart(). */
export type EmbeddedDatabase = {
  /** What `pg` connects with; stays the same for as long as the database is held. The role is no superuser. */
  readonly connection: { host: string; port: number; user: string; password?: string; database: string }
  readonly pid: number
  /** Resolves when the server process ends otherwise than by stop(); never rejects. */
  readonly exited: Promise<Exit>
  /** Starts the server again after it ended, with recovery; does nothing while it runs. Throws after stop(). */
  restart(): Promise<void>
  /** Fast shutdown, bounded to 40 seconds, then lets go of the data directory. May be called more than once. */
  stop(): Promise<void>
}

type Address = { host: string; port: number; close(): Promise<void> }

/**
 * Starts PostgreSQL 18 on the cluster in `<dataDirectory>/postgres`, made at the first start, and resolves when the
 * application's database takes connections. Listens on a Unix socket only (on Windows a loopback port with a password).
 * `log` gets the server's lines; `settings` are configuration parameters that replace ours.
 *
 * Throws DataDirectoryHeld when another process serves the directory, and an Error whose message is for the operator
 * when the binaries, the account or the directory do not allow a start.
 */
export async function startEmbedded(options: {
  dataDirectory: string
  log: (line: string) => void
  settings?: Record<string, string>
}): Promise<EmbeddedDatabase> {
  const dataDirectory = makeDataDirectory(options.dataDirectory)
  const unlock = await lockDataDirectory(dataDirectory)

  try {
    const cluster = await openCluster(dataDirectory)
    await prepareCluster(cluster, dataDirectory)

    return await serve(cluster, unlock, options.log, options.settings)
  } catch (error) {
    await unlock()
    throw error
  }
}

async function serve(
  cluster: Cluster,
  unlock: () => Promise<void>,
  log: (line: string) => void,
  settings: Record<string, string> | undefined,
): Promise<EmbeddedDatabase> {
  const address = await openAddress(cluster)
  const start = () => startPostmaster(cluster, address.port, log, settings)
  const connection = { host: address.host, port: address.port, user: APPLICATION, database: APPLICATION }
  let postmaster = await start()
  let ended = false
  let stopping: Promise<void> | undefined
  let restarting: Promise<void> | undefined

  const watch = (): Promise<Exit> =>
    new Promise((resolve) => {
      postmaster.exited.then((exit) => {
        ended = true
        if (stopping === undefined) resolve(exit)
      })
    })
  let exited = watch()

  const startAgain = async () => {
    postmaster = await start()
    ended = false
    exited = watch()
  }
  const shutDown = async () => {
    await restarting?.catch(() => undefined)
    await stopPostmaster(cluster, postmaster.pid)
    await address.close()
    await unlock()
  }

  try {
    await makeApplicationDatabase(cluster, address)
  } catch (error) {
    await stopPostmaster(cluster, postmaster.pid)
    await address.close()
    throw error
  }

  return {
    connection: cluster.password === undefined ? connection : { ...connection, password: cluster.password },
    get pid() {
      return postmaster.pid
    },
    get exited() {
      return exited
    },
    async restart() {
      if (stopping !== undefined) throw new Error('The database was stopped and cannot be restarted.')
      if (!ended) return

      restarting ??= startAgain().finally(() => {
        restarting = undefined
      })
      await restarting
    },
    stop() {
      stopping ??= shutDown()
      return stopping
    },
  }
}

/** What `pg` connects with to the database that another process serves from the data directory; `close` when done. */
export async function connectToServed(dataDirectory: string) {
  const cluster = await openCluster(realpathSync(dataDirectory))
  const { host, port, close } = await openAddress(cluster)
  return { connection: { host, port, user: APPLICATION, database: APPLICATION, password: cluster.password }, close }
}

/** Whether a database was made in the data directory. */
export const hasDatabase = (dataDirectory: string): boolean => existsSync(join(dataDirectory, 'postgres'))

async function openCluster(dataDirectory: string): Promise<Cluster> {
  const directory = join(dataDirectory, 'postgres')
  const account = chooseAccount(directory)
  const binaries = await findBinaries(dataDirectory, account)
  const password = await readPassword(dataDirectory)

  return { directory, account, binaries, password }
}

async function openAddress(cluster: Cluster): Promise<Address> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await freePort(), close: async () => undefined }
  return { ...(await openSocketAddress(cluster.directory)), port: SOCKET_PORT }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))

  if (address === null || typeof address === 'string') throw new Error('The system gave no loopback port.')
  return address.port
}

/** Each step is left out when it was done, so that a start that was cut short is completed by the next. */
async function makeApplicationDatabase(cluster: Cluster, address: Address): Promise<void> {
  const { host, port } = address
  const client = new Client({ host, port, user: SUPERUSER, password: cluster.password, database: SUPERUSER })
  await client.connect()

  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists(select from pg_roles where rolname = $1) as role,
              exists(select from pg_database where datname = $1) as database`,
      [APPLICATION],
    )
    const made = rows[0]

    if (!made?.role) {
      const password = cluster.password === undefined ? '' : `password ${client.escapeLiteral(cluster.password)}`
      await client.query(`create role ${APPLICATION} login createdb in role pg_monitor ${password}`)
    }
    if (!made?.database) await client.query(`create database ${APPLICATION} owner ${APPLICATION}`)
  } finally {
    await client.end()
  }
}
