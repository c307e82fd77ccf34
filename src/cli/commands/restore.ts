// `merlon restore`: restores a backup into a new installation.

import { join } from 'node:path'
import type { Command } from 'commander'
import { BackupError, readManifest, restore as restoreInto } from '../../core/backup.ts'
import { readConfig } from '../../core/config.ts'
import { makeDataDirectory } from '../../core/data-directory.ts'
import { rootKeyFile } from '../../core/root-key.ts'
import { withInstallation } from '../database.ts'
import { say } from '../output.ts'
import { openProgress } from '../progress.ts'

export function restore(command: Command): void {
  command.argument('<directory>').action(async (directory: string) => {
    const config = readConfig(process.env)
    // checked before a database is created for it
    await readManifest(directory)
    const progress = openProgress('Restoring')
    const objects = join(config.data, 'objects')
    makeDataDirectory(config.data)
    const work = withInstallation(
      config,
      (client, isServed) => {
        if (isServed) throw new BackupError('A service runs on this installation; stop it first')
        return restoreInto(client, objects, directory, progress.update)
      },
      { mayMake: true },
    )
    const manifest = await work.finally(progress.stop)
    say(`${manifest.tables.length} tables and ${manifest.objects} objects of ${manifest.madeAt} were restored`)
    say(
      `Put the root key of that installation, as it was then, into ${rootKeyFile(config)} before you start the service`,
    )
  })
}
