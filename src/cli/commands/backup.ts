// `merlon backup`: copies all rows and objects of an installation into a directory.

import type { Command } from 'commander'
import { backUp } from '../../core/backup.ts'
import { BackupError } from '../../core/backup-tables.ts'
import { readConfig } from '../../core/config.ts'
import { openObjects } from '../../core/objects/open.ts'
import { rootKeyFile } from '../../core/root-key.ts'
import { withInstallation } from '../database.ts'
import { nameLacking } from '../lacking.ts'
import { counted, say } from '../output.ts'
import { openProgress } from '../progress.ts'
import { breakOffWhenTold } from '../signals.ts'

export function backup(command: Command): void {
  command.argument('<directory>').option('--without-files', 'back up the rows alone, and no stored file').action(run)
}

async function run(directory: string, { withoutFiles = false }: { withoutFiles?: boolean }): Promise<void> {
  const config = readConfig(process.env)
  const progress = openProgress('Backing up')
  const work = withInstallation(config, async (client) => {
    const objects = withoutFiles ? null : await openObjects(config)
    const manifest = await breakOffWhenTold((signal) =>
      backUp(client, objects, directory, { onProgress: progress.update, signal }),
    )
    return { manifest, place: objects?.place }
  })
  const { manifest, place } = await work.finally(progress.stop)
  say(`${manifest.tables.length} tables and ${counted(manifest.objects, 'object')} were written to ${directory}`)
  say(`The root key is not part of the backup: keep ${rootKeyFile(config)} (or MERLON_ROOT_KEY) in another place`)
  if (manifest.lacking.length === 0) return
  if (place === undefined) say(`Left out: ${counted(manifest.lacking.length, 'stored file')}`)
  else {
    throw new BackupError(
      `The backup can be restored, but it lacks files that are missing or damaged in ${place}: ${nameLacking(manifest.lacking)}`,
    )
  }
}
