// `merlon migrate`: applies the missing migrations to the database without serving.

import type { Command } from 'commander'
import { migrateDatabase } from '../../app.ts'
import { readConfig } from '../../core/config.ts'
import { openServiceLog } from '../../core/log.ts'
import { openInstallation } from '../database.ts'

export function migrate(command: Command): void {
  command.action(async () => {
    const config = readConfig(process.env)
    const { connection, close } = await openInstallation(config, { mayMake: true })
    const applied = await migrateDatabase(connection, openServiceLog(config.logLevel)).finally(close)
    process.stdout.write(applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'The database is up to date\n')
  })
}
