// `merlon backup` and `merlon restore`: all rows and objects of an installation to a directory, and back into a new one.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { BackupError, backUp, restore as restoreInto } from '../../core/backup.ts'
import { readConfig } from '../../core/config.ts'
import { withInstallation } from '../database.ts'
import { openProgress } from '../progress.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

export function backup(program: Command): void {
  program
    .command('backup <directory>')
    .description('write all rows and objects of this installation to a new directory; the service may run')
    .action(async (directory: string) => {
      const config = readConfig(process.env)
      const progress = openProgress('Backing up')
      const objects = join(config.data, 'objects')
      const manifest = await withInstallation(config, (client) => backUp(client, objects, directory, progress.update))
      progress.stop()
      say(`${manifest.tables.length} tables and ${manifest.objects} objects are in ${directory}`)
      say(`The root key is not: keep ${join(config.data, 'root-key')} (or MERLON_ROOT_KEY) in another place`)
    })

  program
    .command('restore <directory>')
    .description('read a backup into a new installation that no service runs on')
    .action(async (directory: string) => {
      const config = readConfig(process.env)
      const progress = openProgress('Restoring')
      const objects = join(config.data, 'objects')
      await mkdir(config.data, { recursive: true })
      const manifest = await withInstallation(config, (client, isServed) => {
        if (isServed) throw new BackupError('A service runs on this installation; stop it first')
        return restoreInto(client, objects, directory, progress.update)
      })
      progress.stop()
      say(`${manifest.tables.length} tables and ${manifest.objects} objects of ${manifest.madeAt} are restored`)
      say(`Put the root key of that installation into ${join(config.data, 'root-key')} before you start the service`)
    })
}
