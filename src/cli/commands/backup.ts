// `merlon backup`: copies all rows and objects of an installation into a directory.

import { join } from 'node:path'
import type { Command } from 'commander'
import { backUp } from '../../core/backup.ts'
import { readConfig } from '../../core/config.ts'
import { rootKeyFile } from '../../core/root-key.ts'
import { withInstallation } from '../database.ts'
import { say } from '../output.ts'
import { openProgress } from '../progress.ts'

export function backup(command: Command): void {
  command.argument('<directory>').action(async (directory: string) => {
    const config = readConfig(process.env)
    const progress = openProgress('Backing up')
    const objects = join(config.data, 'objects')
    const work = withInstallation(config, (client) => backUp(client, objects, directory, progress.update))
    const manifest = await work.finally(progress.stop)
    say(`${manifest.tables.length} tables and ${manifest.objects} objects were written to ${directory}`)
    say(`The root key is not part of the backup: keep ${rootKeyFile(config)} (or MERLON_ROOT_KEY) in another place`)
  })
}
