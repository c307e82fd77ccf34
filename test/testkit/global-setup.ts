// Prepares a home for each worker of a test run: a copy of one new database, on an embedded PostgreSQL or the server of DATABASE_URL.

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../../src/app.ts'
import { startEmbedded } from '../../src/core/db/embedded.ts'
import { openDatabase } from '../../src/core/db/open.ts'
import { openLog } from '../../src/core/log.ts'
import { createFirstAdministrator } from '../../src/modules/access/service.ts'
import type { Home } from './home.ts'

/**
 * The data of a test run need not survive a crash of the machine. Each worker has several services, whose pools are all full where the
 * machine is slow.
 */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }

/** `drop` removes databases from a server that outlives the run. */
type Server = {
  connection: Home['connection']
  drop: (names: readonly string[]) => Promise<void>
  stop: () => Promise<void>
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-test-'))
  const server = await startServer(directory)
  const first = `merlon_test_${randomBytes(6).toString('hex')}`
  const copies = Array.from({ length: project.vitest.config.maxWorkers - 1 }, (_, at) => `${first}_${at}`)
  const end = async () => {
    try {
      await server.drop([...copies, first])
    } finally {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    }
  }
  try {
    project.provide('homes', await makeHomes(server, directory, first, copies))
  } catch (error) {
    await end()
    throw error
  }
  return end
}

async function makeHomes(server: Server, directory: string, first: string, copies: readonly string[]): Promise<Home[]> {
  const administratorKey = await makeDatabase(server, first)
  await Promise.all(copies.map((name) => runOn(server.connection, `create database ${name} template ${first}`)))
  const homes = [first, ...copies].map((name) => ({
    connection: connectionTo(server, name),
    dataDirectory: join(directory, name),
    administratorKey,
  }))
  await Promise.all(homes.map(({ dataDirectory }) => mkdir(dataDirectory)))
  return homes
}

async function startServer(directory: string): Promise<Server> {
  const { DATABASE_URL } = process.env
  if (DATABASE_URL) {
    const connection = { connectionString: DATABASE_URL }
    return { connection, drop: (names) => dropAll(connection, names), stop: async () => {} }
  }
  const dataDirectory = join(directory, 'server')
  const { connection, stop } = await startEmbedded({ dataDirectory, log: () => {}, settings: SETTINGS })
  return { connection, drop: async () => {}, stop }
}

/** Creates the first worker's database, of which the others' are copies, and resolves to its administrator's key. */
async function makeDatabase(server: Server, name: string): Promise<string> {
  await runOn(server.connection, `create database ${name}`)
  const connection = connectionTo(server, name)
  await migrateDatabase(connection, openLog('warn'))
  const { db } = openDatabase({ connection, connections: 1, statementTimeout: 10_000 })
  const administratorKey = await createFirstAdministrator(db)
  await db.destroy()
  if (administratorKey === null) throw new Error('The database of a test run must be new')
  return administratorKey
}

function connectionTo({ connection }: Server, database: string): Home['connection'] {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/**
 * Does not use `drop database … with (force)`, which fails for an owner who is no superuser while autovacuum works on
 * the database.
 */
async function dropAll(connection: Home['connection'], names: readonly string[]): Promise<void> {
  const drop = async (name: string) => {
    await runOn(
      connection,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = user',
      [name],
    )
    await runOn(connection, `drop database if exists ${name}`)
  }
  await Promise.all(names.map(drop))
}

async function runOn(connection: Home['connection'], statement: string, values: readonly string[] = []): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statement, [...values]).finally(() => client.end())
}
