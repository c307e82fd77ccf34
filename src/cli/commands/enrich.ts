// `merlon enrich`: gives the service the published data on exploitation (EPSS, KEV), from files or from the configured feeds.

import type { Command } from 'commander'
import { Refused, request, requestWithFiles } from '../client.ts'
import { type OutputOptions, printRows, say } from '../output.ts'
import { openProgress } from '../progress.ts'
import { WrongUse } from '../wrong-use.ts'

type Feed = { name: string; version: string | null; publishedAt: string | null; rowCount: number; importedAt: string }

const IMPORT = `mutation ($input: ImportExploitationDataInput!) { importExploitationData(input: $input) {
  feeds { name version publishedAt rowCount importedAt } } }`

export function enrich(command: Command): void {
  command
    .option('--epss <file>', 'EPSS scores as FIRST publishes them: CSV, plain or gzip')
    .option('--kev <file>', 'the catalogue of known exploited vulnerabilities as CISA publishes it: JSON')
    .option('--json')
    .action(async ({ epss, kev, ...options }: OutputOptions & { epss?: string; kev?: string }) => {
      const feeds = await taken({ epss, kev })
      printRows(
        feeds,
        [
          { title: 'FEED', of: ({ name }) => name },
          { title: 'ROWS', of: ({ rowCount }) => rowCount },
          { title: 'VERSION', of: ({ version }) => version ?? '' },
          { title: 'PUBLISHED', of: ({ publishedAt }) => publishedAt ?? '' },
          { title: 'IMPORTED', of: ({ importedAt }) => importedAt },
        ],
        options,
      )
      if (!options.json) {
        say(epss || kev ? 'A job now applies this to the findings' : 'A job now fetches the feeds')
      }
    })
}

async function taken(given: { epss?: string; kev?: string }): Promise<Feed[]> {
  const files = Object.fromEntries(
    Object.entries(given).flatMap(([name, file]) => (file === undefined ? [] : [[`input.${name}`, file]])),
  )
  if (Object.keys(files).length === 0) {
    return (await request(IMPORT, { input: {} }).catch(asWrongUse)).importExploitationData.feeds
  }
  const input = Object.fromEntries(Object.keys(files).map((path) => [path.slice('input.'.length), null]))
  const progress = openProgress('Uploading')
  const { importExploitationData } = await requestWithFiles(IMPORT, { input }, files, progress).finally(progress.stop)
  return importExploitationData.feeds
}

/** A service without feeds has to be given a file. */
function asWrongUse(error: unknown): never {
  throw error instanceof Refused && error.code === 'FAILED_PRECONDITION' ? new WrongUse(error.message) : error
}
