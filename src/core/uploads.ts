// A file that a caller sent: already in the object store (multipart) or still inside the JSON body.

import { Readable } from 'node:stream'
import { controls } from './controls.ts'
import { sha256 } from './crypto.ts'
import { type Trx, unlessRolledBack, violates } from './db/open.ts'
import type { Reader } from './durable/way.ts'
import { badUserInput, payloadTooLarge } from './errors.ts'
import type { Id } from './ids.ts'
import type { ObjectStore, StoredBytes } from './objects/store.ts'

/** A file as sent. `stored` is filled once its bytes are in the object store, `kept` once a row refers to them, or may. */
export class UploadedFile {
  readonly filename: string
  readonly contentType: string
  readonly inline: Buffer | null
  stored: StoredBytes | null
  kept = false

  constructor(file: { filename: string; contentType: string; inline?: Buffer; stored?: StoredBytes }) {
    this.filename = plainName(file.filename)
    this.contentType = plainType(file.contentType)
    this.inline = file.inline ?? null
    this.stored = file.stored ?? null
  }

  /** bytes */
  get size(): number {
    return this.stored?.size ?? this.inline?.length ?? 0
  }

  get sha256(): Buffer {
    return this.stored?.sha256 ?? sha256(this.inline ?? '')
  }
}

/**
 * Reads a file while it arrives, so that nobody has to read it again: it is shown every chunk, and then the file, once all of it is
 * stored. Where the upload fails, nothing more is said.
 */
export type Reading = Reader & { arrived(file: UploadedFile): void }

const CONTROLS = new RegExp(`[${controls}]`, 'g')

/** What the caller called the file, as text only: no directory, no control, no mark of direction, at most 255 characters. */
function plainName(filename: string): string {
  const name = filename.split(/[/\\]/).at(-1) ?? ''
  const visible = name.replace(CONTROLS, '').trim()
  return visible === '' || visible === '.' || visible === '..' ? 'file' : visible.slice(0, 255).toWellFormed()
}

const plainType = (contentType: string): string => {
  const [essence = ''] = contentType.split(';')
  return /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(essence.trim())
    ? essence.trim().toLowerCase()
    : 'application/octet-stream'
}

/**
 * Reads a value given for an Upload: what the multipart request put there, or `{ filename, contentType, base64 }` of at most
 * `largest` bytes. BAD_USER_INPUT for anything else, PAYLOAD_TOO_LARGE above.
 */
export function readUpload(value: unknown, largest: number): UploadedFile {
  if (value instanceof UploadedFile) return value
  if (value === null || typeof value !== 'object' || !('base64' in value) || !('filename' in value)) {
    throw badUserInput('A file is a part of a multipart request, or { filename, contentType, base64 }')
  }
  const { base64, filename } = value
  const contentType = 'contentType' in value ? value.contentType : null
  if (typeof filename !== 'string') throw badUserInput('The filename of a file is a string')
  if (typeof base64 !== 'string' || !isBase64(base64)) throw badUserInput('The base64 of a file is not base64')
  if (contentType !== null && typeof contentType !== 'string')
    throw badUserInput('The contentType of a file is a string')
  if ((base64.length / 4) * 3 - 2 > largest) throw tooLargeInline(largest)
  const inline = Buffer.from(base64, 'base64')
  if (inline.length > largest) throw tooLargeInline(largest)
  return new UploadedFile({ filename, contentType: contentType ?? 'application/octet-stream', inline })
}

const tooLargeInline = (largest: number) =>
  payloadTooLarge(`A file inside a JSON body has at most ${largest} bytes; send it as a multipart request`)

const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

/** The bytes of a file that was sent, from the start. */
export function readUploaded(objects: ObjectStore, file: UploadedFile): Readable {
  if (file.stored) return objects.read(file.stored.objectKey)
  return Readable.from([file.inline ?? Buffer.alloc(0)])
}

/** Refuses a file above `limit` bytes with PAYLOAD_TOO_LARGE naming `argument`. */
export function requireSize(file: UploadedFile, limit: number, argument: string): void {
  if (file.size > limit)
    throw payloadTooLarge(`${argument} is larger than the ${limit} bytes that are allowed`, argument)
}

/** Puts an inline file into the object store; what came as a part of its own is there already. */
export async function storeUpload(objects: ObjectStore, file: UploadedFile): Promise<StoredBytes> {
  file.stored ??= await objects.put(readUploaded(objects, file), file.size)
  return file.stored
}

/**
 * Records that a row of the company refers to the stored file, so that it is not swept; answers with its id. BAD_USER_INPUT
 * for a file that is kept already: a request may name one file in two places.
 */
export async function keepUpload(trx: Trx, companyId: Id, file: UploadedFile): Promise<Id> {
  if (!file.stored) throw new Error('The file is not in the object store')
  const { objectKey, size, sha256: hash } = file.stored
  const inserted = await trx
    .insertInto('stored_object')
    .values({
      company_id: companyId,
      object_key: objectKey,
      filename: file.filename,
      content_type: file.contentType,
      size: String(size),
      sha256: hash,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseKept)
  await unlessRolledBack(trx, async () => {
    file.kept = true
  })
  return inserted.id
}

function refuseKept(error: unknown): never {
  if (!violates(error, 'stored_object_object_key_key')) throw error
  throw badUserInput('A file that was sent once is kept once; send it again to keep it in two places')
}
