// The one place where everything is put together: opens the database, objects, keys, HTTP and the worker; starts and stops them.

import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Pool, PoolConfig } from 'pg'
import { type Clock, systemClock } from './connectors/clock.ts'
import { openVendors } from './connectors/vendors.ts'
import type { Config } from './core/config.ts'
import { makeDataDirectory } from './core/data-directory.ts'
import { migrate } from './core/db/migrate.ts'
import { type Db, openDatabase } from './core/db/open.ts'
import { connectTo } from './core/db/unusable.ts'
import { migrateJobs, type Slots, startWorker, type Worker, type WorkerTask } from './core/jobs.ts'
import { type Keyring, openKeyring } from './core/keyring.ts'
import type { Log } from './core/log.ts'
import { openMailer } from './core/mail.ts'
import { claimObjects, openObjects } from './core/objects/open.ts'
import type { ObjectStore } from './core/objects/store.ts'
import { type OutboundOptions, openOutbound } from './core/outbound.ts'
import { openInstallationKey, readRootKeys } from './core/root-key.ts'
import type { CompileMode } from './http/documents.ts'
import { openServer } from './http/server.ts'
import { openViewers } from './modules/access/viewers.ts'
import type { WorkParts } from './modules/context.ts'
import { openFeed } from './modules/events/feed.ts'
import { type Relay, startRelay } from './modules/events/relay.ts'
import { modules } from './modules/index.ts'
import { buildSchema } from './modules/schema.ts'
import type { Task } from './modules/types.ts'
import { upward } from './modules/upward.ts'

export type Application = {
  db: Db
  pool: Pool
  parts: WorkParts
  /** Listens and answers with the address, such as http://127.0.0.1:4000. */
  listen(): Promise<string>
  /** Runs the jobs and relays events; for tests, jobs of these tasks alone. */
  startWorker(only?: readonly string[]): Promise<void>
  /**
   * Answers what is in flight and ends the jobs under way, `grace` milliseconds at most, then closes everything; what has not
   * ended by then is cut, and may go on until its statement ends.
   */
  stop(grace?: number): Promise<void>
}

export type ApplicationOptions = {
  config: Config
  log: Log
  connection: PoolConfig
  compile?: CompileMode
  onStatement?: (text: string) => void
  /** For tests: where hosts of their own stand in for outside ones. */
  standIn?: OutboundOptions['standIn']
  /** For tests: the time as connectors see it. */
  clock?: Clock
}

/** Jobs that are run at once: those that work here, those that wait for hosts outside, and scans, each a process of its own. */
const WORKING: Slots = { count: 2, next: 'OLDEST' }
const CALLING: Slots = { count: 8, next: 'OLDEST_WITHIN_SHARE' }
const SCANNING: Slots = { count: 4, next: 'OLDEST_WITHIN_SHARE' }
/** Milliseconds for which connections stay open to the next request once the service is told to stop. */
const LINGER = 200
/** Milliseconds for the connections of the database to be given back, once the grace is over. */
const CLOSE_LIMIT = 1_000

/** Brings the database to the present: our tables and the queue's. Answers with the migrations applied. */
export async function migrateDatabase(connection: PoolConfig, log: Log): Promise<string[]> {
  const client = await connectTo(connection)
  try {
    const applied = await migrate(client)
    const { pool } = openDatabase({ connection, connections: 1, statementTimeout: 0 })
    await migrateJobs(pool, log).finally(() => pool.end())
    return applied
  } finally {
    await client.end()
  }
}

export async function createApp(options: ApplicationOptions): Promise<Application> {
  const { config, log } = options
  makeDataDirectory(config.data)
  const objects = await openObjects(config)
  const { db, pool } = openDatabase({
    connection: options.connection,
    connections: config.databaseConnections,
    statementTimeout: config.statementTimeout,
    onStatement: options.onStatement,
    onConnectionLost: (err) => log.warn({ err }, 'A database connection was lost'),
  })
  const keyring = await openOwnKeyring(db, config, objects).catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  const viewers = openViewers()
  const outbound = openOutbound({ allowed: config.outbound, log, standIn: options.standIn })
  const vendors = openVendors(outbound, log, options.clock ?? systemClock)
  const mailer = config.mail && openMailer(config.mail.url, config.mail.from)
  const feed = openFeed(pool, db, log)
  const ways = { vendors, outbound, mailer, feed }
  const parts = { config, log, objects, keyring, ...ways, forgetViewers: viewers.forget, upward, db }
  const server = openServer(buildSchema(config.limits), {
    ...parts,
    viewers,
    databasePool: pool,
    compile: options.compile,
  })
  let workers: Worker[] = []
  let relay: Relay | null = null
  const drain = openDrain(server)

  return {
    db,
    pool,
    parts,
    async listen() {
      await server.listen({ host: config.host, port: config.port })
      return addressOf(server)
    },
    async startWorker(only) {
      const known = modules.flatMap((module) => module.tasks ?? [])
      workers = await startWorkers(pool, parts, only ? known.filter(({ name }) => only.includes(name)) : known)
      relay = startRelay(db, log, upward.followEvents)
    },
    async stop(grace = 10_000) {
      const drained = drain(grace)
      await within(grace, Promise.all([drained, relay?.stop(), ...workers.map((worker) => worker.stop())]))
      server.server.closeAllConnections()
      mailer?.close()
      await within(CLOSE_LIMIT, Promise.all([drained, feed.close(), outbound.close(), db.destroy()]))
    },
  }
}

/** One worker for each kind of task, so that none waits for slots that another kind holds. */
async function startWorkers(pool: Pool, parts: WorkParts, tasks: readonly Task[]): Promise<Worker[]> {
  const bound = ({ name, cron, run }: Task): WorkerTask => ({
    name,
    cron,
    run: (payload, leaving) => run(parts, payload, leaving),
  })
  const scanning = tasks.filter(({ lastsLong }) => lastsLong)
  const calling = tasks.filter(({ callsOut }) => callsOut)
  const working = tasks.filter(({ callsOut, lastsLong }) => !callsOut && !lastsLong)
  return [
    await startWorker(pool, parts.log, working.map(bound), WORKING),
    await startWorker(pool, parts.log, calling.map(bound), CALLING),
    await startWorker(pool, parts.log, scanning.map(bound), SCANNING),
  ]
}

/** The keyring of the installation in the database, to which the files have to belong as well. */
async function openOwnKeyring(db: Db, config: Config, objects: ObjectStore): Promise<Keyring> {
  const keys = await readRootKeys(db, config)
  const keyring = openKeyring(keys, await openInstallationKey(db, keys))
  await claimObjects(objects, keyring.storeOwner)
  return keyring
}

/**
 * Every answer given from now on tells its caller to close the connection. For LINGER more, callers with a connection that is
 * kept open may still ask: closing it at once would cut what they have sent and the process has not read yet.
 */
function openDrain(server: FastifyInstance): (grace: number) => Promise<void> {
  let isDraining = false
  server.addHook('onSend', async (_, reply) => void (isDraining && reply.header('connection', 'close')))
  return async (grace) => {
    isDraining = true
    if (server.server.listening) await delay(Math.min(LINGER, grace))
    await server.close()
  }
}

/** Waits for `work`, but not longer than so many milliseconds. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const end = delay(milliseconds, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([work.finally(() => timer.abort()), end])
}

function addressOf(server: FastifyInstance): string {
  const { address, port, family } = server.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
