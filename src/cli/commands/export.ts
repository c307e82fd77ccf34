// `merlon export`: writes findings to a file or to standard output, in one of the formats that other tools read.

import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { issueStatuses, issueTypes, severities } from '../../core/issue-words.ts'
import { asCut, download, request, Unreachable } from '../client.ts'
import { writing } from '../files.ts'
import { findAsset, findCompany } from '../find.ts'
import { isEnough } from '../output.ts'
import { openProgress } from '../progress.ts'
import { someOf } from '../values.ts'
import { WrongUse } from '../wrong-use.ts'

type Options = {
  company?: string
  asset?: string[]
  format: string
  output?: string
  branch?: string
  status?: string[]
  severity?: string[]
  type?: string[]
  tool?: string[]
  search?: string
}

const FORMATS = ['sarif', 'cyclonedx', 'cyclonedx-vex', 'openvex', 'csaf', 'csv', 'ndjson']

const EXPORT = `mutation ($input: ExportFindingsInput!) { exportFindings(input: $input) {
  export { id filename findingsCount } } }`

export function exportFindings(command: Command): void {
  command
    .requiredOption('--format <name>', FORMATS.join(', '))
    .option('--output <file>', 'the file to write, or - for standard output; by default named by the service')
    .option('--company <id or label>')
    .option('--asset <id or name...>', 'by default all assets')
    .option('--branch <name>', 'findings seen on this branch')
    .option('--status <status...>', issueStatuses.join(', '), someOf('--status', issueStatuses))
    .option('--severity <severity...>', severities.join(', '), someOf('--severity', severities))
    .option('--type <type...>', issueTypes.join(', '), someOf('--type', issueTypes))
    .option('--tool <name...>')
    .option('--search <text>')
    .action(write)
}

async function write(options: Options): Promise<void> {
  const format = options.format.toLowerCase().replaceAll('_', '-')
  if (!FORMATS.includes(format)) throw new WrongUse(`--format is one of ${FORMATS.join(', ')}`)
  const companyId = await findCompany(options.company)
  const assetIds = options.asset && (await Promise.all(options.asset.map((asset) => findAsset(companyId, asset))))
  const input = {
    companyId,
    format: format.toUpperCase().replaceAll('-', '_'),
    assetIds,
    branchName: options.branch,
    filters: {
      statuses: options.status,
      severities: options.severity,
      types: options.type,
      toolNames: options.tool,
      search: options.search,
    },
  }
  const made = (await request(EXPORT, { input })).exportFindings.export
  const { body } = await download(`/exports/${made.id}`)
  if (!body) throw new Unreachable('The export came without its content')
  const output = options.output ?? made.filename
  const pieces = told(Readable.fromWeb(body), made.findingsCount ?? 0)
  if (output === '-') {
    await pipeline(pieces, standardOutput()).catch((error) =>
      isEnough(error) ? undefined : asCut('The export', error),
    )
    return
  }
  await writeWhole(resolve(output), pieces)
  const written = made.findingsCount === 1 ? '1 finding is' : `${made.findingsCount ?? 'The'} findings are`
  process.stderr.write(`${written} in ${output}\n`)
}

/** Writes under a temporary name first, so that a file with the final name is always complete. */
async function writeWhole(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const partial = `${path}.partial`
  try {
    await writing(path, pipeline(pieces, createWriteStream(partial)))
    await writing(path, rename(partial, path))
  } catch (error) {
    await rm(partial, { force: true })
    if (error instanceof WrongUse) throw error
    asCut('The export', error)
  }
}

/** Standard output stays open, because others write there too. */
const standardOutput = (): Writable =>
  new Writable({ write: (chunk, encoding, done) => void process.stdout.write(chunk, encoding, done) })

const NEWLINE = 0x0a

/** Passes the pieces on, and reports progress by their lines, of which each finding has at least one. */
async function* told(pieces: AsyncIterable<Uint8Array>, findings: number): AsyncGenerator<Uint8Array> {
  const progress = openProgress('Exporting')
  let lines = 0
  try {
    for await (const piece of pieces) {
      for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) lines += 1
      progress.update(Math.min(lines, findings), findings)
      yield piece
    }
  } finally {
    progress.stop()
  }
}
