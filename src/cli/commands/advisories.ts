// `merlon advisories`: the catalogue of vulnerable packages of this installation.

import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { readConfig } from '../../core/config.ts'
import { type Db, openDatabase } from '../../core/db/open.ts'
import { OperatorError } from '../../core/errors.ts'
import { isFeedUrl } from '../../core/outbound-file.ts'
import { importFrom, listArchives } from '../../modules/advisories/fetching.ts'
import { type Imported, importAdvisories, listCatalogue } from '../../modules/advisories/service.ts'
import { openInstallation } from '../database.ts'
import { sizeOf } from '../files.ts'
import { counted, type OutputOptions, printRows, say } from '../output.ts'
import { WrongUse } from '../wrong-use.ts'

export function advisories(group: Command): void {
  group
    .command('import <file...>')
    .description(
      "import advisories from files of OSV: an ecosystem's all.zip, a single record, or one record a line; skips what is not newer",
    )
    .action(importFiles)

  group
    .command('fetch <address...>')
    .description(
      "import OSV's archives from the https addresses at which they are published; may be repeated at any time",
    )
    .action(fetchArchives)

  group
    .command('list')
    .description('list how many advisories there are of each ecosystem')
    .option('--json')
    .action((options: OutputOptions) =>
      withDatabase(async (db) =>
        printRows(
          await listCatalogue(db),
          [
            { title: 'ECOSYSTEM', of: ({ ecosystem }) => ecosystem },
            { title: 'ADVISORIES', of: ({ advisories: count }) => count },
            { title: 'PACKAGES', of: ({ packages }) => packages },
            { title: 'NEWEST', of: ({ newest }) => newest },
          ],
          options,
        ),
      ),
    )

  group
    .command('archives')
    .description('list when the service last fetched each archive of MERLON_ADVISORIES_URL, and why a fetch fails')
    .option('--json')
    .action((options: OutputOptions) =>
      withDatabase(async (db) =>
        printRows(
          await listArchives(db, readConfig(process.env).feeds.advisories),
          [
            { title: 'ADDRESS', of: ({ address }) => address },
            { title: 'FETCHED', of: ({ fetchedAt }) => fetchedAt ?? 'never' },
            { title: 'FAILURE', of: ({ failure }) => failure },
          ],
          options,
        ),
      ),
    )
}

async function importFiles(files: string[]): Promise<void> {
  await Promise.all(files.map(sizeOf))
  await withDatabase(async (db) => {
    for (const file of files) {
      const done = await importAdvisories(db, createReadStream(file, { highWaterMark: 1024 * 1024 }))
      if (done.unreadable === done.read) throw new OperatorError(`${file} contains no readable OSV advisory`)
      tell(file, done)
    }
  })
}

async function fetchArchives(addresses: string[]): Promise<void> {
  const wrong = addresses.find((address) => !isFeedUrl(address))
  if (wrong !== undefined) throw new WrongUse(`${wrong} is not an https address without a user name`)
  await withDatabase(async (db) => {
    for (const address of addresses) tell(address, await importFrom(db, address))
  })
}

function tell(name: string, done: Imported): void {
  say(
    `${name}: ${counted(done.read, 'record')} read, ${done.written} written, ${done.known} known already, ${done.withdrawn} withdrawn, ${done.other} of other ecosystems, ${done.unreadable} unreadable`,
  )
}

/** Works on the installation's database, whether a service runs on it or not. */
async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
  const { connection, close } = await openInstallation(readConfig(process.env))
  try {
    const { db } = openDatabase({ connection, connections: 2, statementTimeout: 0 })
    await work(db).finally(() => db.destroy())
  } finally {
    await close()
  }
}
