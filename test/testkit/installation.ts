// An installation that nobody has used yet: a service on a database and a data directory of its own with nothing but the first administrator.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateDatabase } from '../../src/app.ts'
import { openLog } from '../../src/core/log.ts'
import { createFirstAdministrator } from '../../src/modules/access/service.ts'
import { ownDatabase } from './own-database.ts'
import { startService } from './service.ts'

/** Its address, the administrator's key, its database, and what ends it. */
export async function newInstallation() {
  const database = ownDatabase('first')
  await database.create()
  await migrateDatabase(database.connection(), openLog('silent'))
  const data = await mkdtemp(join(tmpdir(), 'merlon-first-'))
  const service = await startService({ MERLON_DATA: data }, { connection: database.connection() })
  const { db } = service.app
  const key = (await createFirstAdministrator(db)) ?? ''
  const end = async () => {
    await service.app.stop(0)
    await rm(data, { recursive: true })
    await database.drop()
  }
  return { url: service.url, key, db, end }
}
