// `merlon attachment`: attaches a file to a company, project or issue; lists and downloads attachments.

import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { asCut, download, requestWithFile } from '../client.ts'
import { writing } from '../files.ts'
import { findCompany } from '../find.ts'
import { counted, type OutputOptions, printOne, printRows, say } from '../output.ts'
import { listAll, PAGE_METADATA } from '../pages.ts'
import { openProgress } from '../progress.ts'

type Attachment = { id: string; archiveFilename: string; archiveContentType: string; size: number; createdAt: string }
type Options = OutputOptions & { company?: string; project?: string; issue?: string; description?: string }

const FIELDS = 'id archiveFilename archiveContentType size createdAt'

export function attachment(group: Command): void {
  group
    .command('add <file>')
    .description('attach a file to an issue, to a project, or otherwise to the company')
    .option('--company <id or label>')
    .option('--project <id>')
    .option('--issue <id>')
    .option('--description <text>')
    .option('--json')
    .action(add)

  group
    .command('list')
    .description('list the files of an issue, of a project, or otherwise of the company')
    .option('--company <id or label>')
    .option('--project <id>')
    .option('--issue <id>')
    .option('--json')
    .action(list)

  group.command('get <id> <file>').description('download an attachment to a new file').action(get)
}

async function add(file: string, options: Options): Promise<void> {
  const input = {
    companyId: await findCompany(options.company),
    projectId: options.project,
    issueId: options.issue,
    description: options.description,
    archive: null,
  }
  const progress = openProgress('Uploading')
  const { createAttachment } = await requestWithFile(
    `mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { ${FIELDS} } } }`,
    { input },
    'input.archive',
    file,
    progress,
  ).finally(progress.stop)
  const made: Attachment = createAttachment.attachment
  printOne(`Attachment ${made.id}: ${made.archiveFilename}, ${counted(made.size, 'byte')}`, made, options)
}

async function list(options: Options): Promise<void> {
  const attachments = await listAll<Attachment>(
    'attachments',
    `query ($scopeId: ID!, $projectId: ID, $issueId: ID, $after: String) {
      attachments(scopeId: $scopeId, projectId: $projectId, issueId: $issueId, limit: 1000, after: $after) {
        collection { ${FIELDS} } ${PAGE_METADATA} } }`,
    { scopeId: await findCompany(options.company), projectId: options.project, issueId: options.issue },
  )
  printRows(
    attachments,
    [
      { title: 'ID', of: ({ id }) => id },
      { title: 'FILE', of: ({ archiveFilename }) => archiveFilename },
      { title: 'TYPE', of: ({ archiveContentType }) => archiveContentType },
      { title: 'BYTES', of: ({ size }) => size },
      { title: 'CREATED', of: ({ createdAt }) => createdAt },
    ],
    options,
  )
}

async function get(id: string, file: string): Promise<void> {
  const response = await download(`/attachments/${encodeURIComponent(id)}`)
  const target = await writing(file, open(file, 'wx'))
  try {
    await pipeline(piecesOf(response), target.createWriteStream())
  } catch (error) {
    await rm(file, { force: true })
    asCut('The attachment', error)
  }
  say(`Attachment ${id} is in ${file}`)
}

async function* piecesOf({ headers, body }: Response): AsyncGenerator<Uint8Array> {
  const all = Number(headers.get('content-length'))
  const progress = openProgress('Downloading')
  let received = 0
  try {
    for await (const piece of body ?? []) {
      received += piece.length
      progress.update(received, all)
      yield piece
    }
  } finally {
    progress.stop()
  }
}
