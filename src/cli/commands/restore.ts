// `merlon restore`: restores a backup into a new installation.

import type { Command } from 'commander'
import { restore as restoreInto } from '../../core/backup.ts'
import { readManifest } from '../../core/backup-directory.ts'
import { BackupError } from '../../core/backup-tables.ts'
import { readConfig } from '../../core/config.ts'
import { makeDataDirectory } from '../../core/data-directory.ts'
import { openObjects } from '../../core/objects/open.ts'
import { rootKeyFile } from '../../core/root-key.ts'
import { withInstallation } from '../database.ts'
import { nameLacking } from '../lacking.ts'
import { counted, say } from '../output.ts'
import { openProgress } from '../progress.ts'
import { breakOffWhenTold } from '../signals.ts'

export function restore(command: Command): void {
  command.argument('<directory>').action(run)
}

async function run(directory: string): Promise<void> {
  const config = readConfig(process.env)
  // checked before a database is created for it
  const manifest = await readManifest(directory)
  const progress = openProgress('Restoring')
  makeDataDirectory(config.data)
  const work = withInstallation(
    config,
    async (client, isServed) => {
      if (isServed) throw new BackupError('A service runs on this installation; stop it first')
      const objects = await openObjects(config)
      await breakOffWhenTold((signal) =>
        restoreInto(client, objects, directory, manifest, { onProgress: progress.update, signal }),
      )
      return { place: objects.place, isShared: manifest.owner !== null && (await objects.owner()) === manifest.owner }
    },
    { mayMake: true },
  )
  const { place, isShared } = await work.finally(progress.stop)
  say(`${manifest.tables.length} tables and ${counted(manifest.objects, 'object')} of ${manifest.madeAt} were restored`)
  if (manifest.lacking.length > 0) say(`The backup lacked these files: ${nameLacking(manifest.lacking)}`)
  if (isShared) {
    say(
      `The installation that was backed up has its files in ${place} too: never let both run, because each removes what only the other refers to`,
    )
  }
  say(`Put the root key of that installation, as it was then, into ${rootKeyFile(config)} before you start the service`)
}
