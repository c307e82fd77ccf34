// An installation with a few small attachments, whose stored files a trial loses, alters or moves.

import { type Access, ask } from './client.ts'
import { type Place, startServer } from './server.ts'
import { newHome } from './writes.ts'

const ATTACH = 'mutation ($input: CreateAttachmentInput!) { createAttachment(input: $input) { attachment { id } } }'

const NAMES = ['kept.txt', 'lost.txt', 'altered.txt'] as const

type Name = (typeof NAMES)[number]

export const contentOf = (name: Name): string => `The file ${name}`

/** Starts an installation with an attachment of each name, stops it, and resolves to the key of each one's object. */
export async function withAttachments(place: Place): Promise<Record<Name, string>> {
  const server = await startServer(place)
  const access: Access = { url: server.url, key: server.key }
  const { companyId } = await newHome(access)
  for (const filename of NAMES) {
    const file = { path: 'input.archive', bytes: Buffer.from(contentOf(filename)), filename }
    await ask(access, { query: ATTACH, variables: { input: { companyId, archive: null } }, file })
  }
  const client = await place.connect()
  const { rows } = await client.query<{ filename: Name; object_key: string }>(
    'select filename, object_key from stored_object',
  )
  await client.end()
  await server.end('SIGTERM')
  const keys = { 'kept.txt': '', 'lost.txt': '', 'altered.txt': '' }
  for (const { filename, object_key } of rows) keys[filename] = object_key
  return keys
}
