// Hand-written multipart bodies that can be malformed in any way; and the files left on disk after them.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { OWNER } from '../../src/core/objects/store.ts'
import { objectsDirectory } from '../testkit/service.ts'

export const BOUNDARY = 'merlon-boundary'

export type Part = { name?: string; filename?: string; type?: string; content: string | Uint8Array; headers?: string[] }

/** A body of these parts, with its closing boundary unless `isOpen`. */
export function multipart(parts: readonly Part[], isOpen = false): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap(({ name, filename, type, content, headers }) => {
    const disposition = [
      'form-data',
      name === undefined ? '' : `name="${name}"`,
      filename === undefined ? '' : `filename="${filename}"`,
    ]
    const lines = headers ?? [
      `Content-Disposition: ${disposition.filter((piece) => piece !== '').join('; ')}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ]
    return [Buffer.from(`--${BOUNDARY}\r\n${lines.join('\r\n')}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]
  })
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(isOpen ? '' : `--${BOUNDARY}--\r\n`)]))
}

/** A document that uses each null in the variables as a file, without any further effect. */
function takingFiles(variables: unknown): string {
  const uses = Object.entries(variables ?? {}).flatMap(([name, value]) => {
    const ticket = `companyId: 1, type: BUG, title: "a", description: "b", attachments: $${name}`
    if (value === null)
      return { type: 'Upload!', name, field: `createAttachment(input: { companyId: 1, archive: $${name} })` }
    if (Array.isArray(value)) return { type: '[Upload!]', name, field: `createTicket(input: { ${ticket} })` }
    if (typeof value === 'object')
      return { type: 'CreateAttachmentInput!', name, field: `createAttachment(input: $${name})` }
    return []
  })
  if (Array.isArray(variables) || uses.length === 0) return 'mutation { __typename }'
  const declared = uses.map(({ name, type }) => `$${name}: ${type}`)
  const fields = uses.map(({ name, field }) => `${name}: ${field} @skip(if: true) { clientMutationId }`)
  return `mutation (${declared.join(' ')}) { __typename ${fields.join(' ')} }`
}

export const operationsPart = (variables: unknown, query = takingFiles(variables)): Part => ({
  name: 'operations',
  content: JSON.stringify({ query, variables }),
})
export const mapPart = (map: unknown): Part => ({ name: 'map', content: JSON.stringify(map) })
export const filePart = (name: string, content: string | Uint8Array = 'content'): Part => ({
  name,
  filename: 'a.txt',
  type: 'text/plain',
  content,
})

/** Every file that was stored, including drafts. */
export function storedFiles(directory = objectsDirectory()): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== OWNER)
    .map((entry) => join(entry.parentPath, entry.name))
}

export const openFiles = (): number => readdirSync('/proc/self/fd').length
