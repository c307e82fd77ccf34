// Makes the database of a test run: on the embedded PostgreSQL, or on the server of DATABASE_URL, gone afterwards.

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg, { type PoolConfig } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateDatabase } from '../../src/app.ts'
import { startEmbedded } from '../../src/core/db/embedded.ts'
import { openDatabase } from '../../src/core/db/open.ts'
import { openLog } from '../../src/core/log.ts'
import { createFirstAdministrator } from '../../src/modules/access/service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    connection: {
      connectionString?: string
      host?: string
      port?: number
      user?: string
      password?: string
      database?: string
    }
    dataDirectory: string
    administratorKey: string
  }
}

type MadeDatabase = { connection: PoolConfig; remove: () => Promise<void> }

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'merlon-test-'))
  const made = process.env.DATABASE_URL ? await onServer(process.env.DATABASE_URL) : await onEmbedded(dataDirectory)
  await migrateDatabase(made.connection, openLog('warn'))
  const { db } = openDatabase({ connection: made.connection, connections: 1, statementTimeout: 10_000 })
  const administratorKey = await createFirstAdministrator(db)
  await db.destroy()
  if (administratorKey === null) throw new Error('The database of a test run must be new')
  project.provide('connection', made.connection as never)
  project.provide('dataDirectory', dataDirectory)
  project.provide('administratorKey', administratorKey)
  return async () => {
    await made.remove()
    await rm(dataDirectory, { recursive: true, force: true })
  }
}

async function onEmbedded(dataDirectory: string): Promise<MadeDatabase> {
  const embedded = await startEmbedded({ dataDirectory, log: () => {} })
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
