// `merlon advisories`: the catalogue of vulnerable packages of this installation.

import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import { readConfig } from '../../core/config.ts'
import { type Db, openDatabase } from '../../core/db/open.ts'
import { fetchStream, isFeedUrl } from '../../core/outbound-file.ts'
import { importAdvisories, listCatalogue } from '../../modules/advisories/service.ts'
import { sizeOf, WrongUse } from '../client.ts'
import { openInstallation } from '../database.ts'
import { type OutputOptions, printRows, say } from '../output.ts'

/** Bytes of an archive, and milliseconds for it. */
const ARCHIVE = { largest: 4 * 1024 * 1024 * 1024, timeout: 3_600_000 }

export function advisories(program: Command): void {
  const group = program.command('advisories').description('what is known of vulnerable packages, for all companies')

  group
    .command('import <file...>')
    .description("take in OSV's archives: all.zip of an ecosystem, one record, or one a line; only what is newer")
    .action(async (files: string[]) => {
      await Promise.all(files.map(sizeOf))
      await withDatabase(async (db) => {
        for (const file of files) await take(db, file, createReadStream(file, { highWaterMark: 1024 * 1024 }))
      })
    })

  group
    .command('fetch <address...>')
    .description(
      "take in OSV's archives from where they are published, https addresses: as import, and as often as wanted",
    )
    .action((addresses: string[]) => {
      const wrong = addresses.find((address) => !isFeedUrl(address))
      if (wrong !== undefined) throw new WrongUse(`${wrong} is no https address without a user`)
      return withDatabase(async (db) => {
        for (const address of addresses) await take(db, address, fetchStream(address, ARCHIVE))
      })
    })

  group
    .command('list')
    .description('what there is of each ecosystem')
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
}

async function take(db: Db, name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const done = await importAdvisories(db, bytes)
  say(
    `${name}: ${done.read} records read, ${done.written} written, ${done.known} known already, ${done.withdrawn} withdrawn, ${done.other} of other ecosystems, ${done.unreadable} unreadable`,
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
