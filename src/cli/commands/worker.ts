// `merlon worker`: runs the jobs on the database of DATABASE_URL, beside services started with --no-worker.

import type { Command } from 'commander'
import { type Application, createApp, migrateDatabase } from '../../app.ts'
import { ConfigurationError, readConfig } from '../../core/config.ts'
import { openServiceLog } from '../../core/log.ts'
import { findUnknownSettings } from '../../core/unknown-settings.ts'
import { say } from '../output.ts'
import { stopWhenTold } from '../signals.ts'

export function worker(command: Command): void {
  command.action(async () => {
    const config = readConfig(process.env)
    if (config.databaseUrl === null) {
      throw new ConfigurationError(
        'DATABASE_URL is not set: a worker needs the PostgreSQL server that its services use; with the embedded one, merlon serve runs the jobs',
      )
    }
    const log = openServiceLog(config.logLevel)
    for (const sentence of findUnknownSettings(process.env)) log.warn(sentence)
    const connection = { connectionString: config.databaseUrl }
    let app: Application | null = null
    const isStopping = stopWhenTold(log, async () => app?.stop())
    try {
      await migrateDatabase(connection, log)
      app = await createApp({ config, log, connection })
      await app.startWorker()
      say('The worker is running')
    } catch (error) {
      // what fails because everything is being closed is not a failure
      if (!isStopping()) throw error
    }
  })
}
