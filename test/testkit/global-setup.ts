// Makes a home for each worker of a test run: its database on the embedded PostgreSQL, or on the server of DATABASE_URL, gone afterwards.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
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

type MadeDatabase = { connection: Home['connection']; remove: () => Promise<void> }
type MadeHome = Home & { remove: () => Promise<void> }

/** What a run leaves need not outlive a crash of the machine. */
const FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const slots = Array.from({ length: project.vitest.config.maxWorkers })
  const made = await Promise.all(slots.map(makeHome))
  project.provide(
    'homes',
    made.map(({ remove, ...home }) => home),
  )
  return async () => {
    await Promise.all(made.map(({ remove }) => remove()))
  }
}

async function makeHome(): Promise<MadeHome> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'merlon-test-'))
  const made = process.env.DATABASE_URL ? await onServer(process.env.DATABASE_URL) : await onEmbedded(dataDirectory)
  await migrateDatabase(made.connection, openLog('warn'))
  const { db } = openDatabase({ connection: made.connection, connections: 1, statementTimeout: 10_000 })
  const administratorKey = await createFirstAdministrator(db)
  await db.destroy()
  if (administratorKey === null) throw new Error('The database of a test run must be new')
  const remove = async () => {
    await made.remove()
    await rm(dataDirectory, { recursive: true, force: true })
  }
  return { connection: made.connection, dataDirectory, administratorKey, remove }
}

async function onEmbedded(dataDirectory: string): Promise<MadeDatabase> {
  const embedded = await startEmbedded({ dataDirectory, log: () => {}, settings: FORGETFUL })
  return { connection: embedded.connection, remove: () => embedded.stop() }
}

async function onServer(url: string): Promise<MadeDatabase> {
  const name = `merlon_test_${randomBytes(6).toString('hex')}`
  const own = new URL(url)
  own.pathname = `/${name}`
  await runOn(url, `create database ${name}`)
  return { connection: { connectionString: own.href }, remove: () => runOn(url, `drop database ${name} with (force)`) }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
