// An installation that nobody has used yet: a service on a database of its own with nothing but the first administrator.

import { randomBytes } from 'node:crypto'
import pg, { type PoolConfig } from 'pg'
import { migrateDatabase } from '../../src/app.ts'
import { openLog } from '../../src/core/log.ts'
import { createFirstAdministrator } from '../../src/modules/access/service.ts'
import { home } from '../../test/testkit/home.ts'
import { startService } from '../../test/testkit/service.ts'

async function beside(statement: string): Promise<void> {
  const client = new pg.Client(home().connection)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** Its address, the administrator's key, and what ends it. */
export async function newInstallation() {
  const name = `first_${randomBytes(6).toString('hex')}`
  await beside(`create database ${name}`)
  const { connectionString, ...connection } = home().connection
  const url = connectionString === undefined ? null : new URL(connectionString)
  if (url) url.pathname = `/${name}`
  const own: PoolConfig = url ? { connectionString: url.href } : { ...connection, database: name }
  await migrateDatabase(own, openLog('silent'))
  const service = await startService({}, { connection: own })
  const key = (await createFirstAdministrator(service.app.db)) ?? ''
  const end = async () => {
    await service.app.stop(0)
    await beside(`drop database ${name}`)
  }
  return { url: service.url, key, end }
}
