// Downloads of stored files, safe in every browser: whole or one range of bytes.

import type { Readable } from 'node:stream'
import type { ObjectStore } from './objects/store.ts'

/** A stored file; `size` in bytes, `sha256` in hexadecimal. */
export type StoredFile = { objectKey: string; filename: string; contentType: string; size: number; sha256: string }

/** In bytes; both ends are inclusive. */
type ByteRange = { start: number; end: number }

/** Types that no browser executes as one of our pages; all others are sent as application/octet-stream. */
const inertTypes = new Set([
  'application/gzip',
  'application/json',
  'application/pdf',
  'application/zip',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/csv',
  'text/plain',
])

const OCTETS = 'application/octet-stream'

export const inertType = (contentType: string): string => (inertTypes.has(contentType) ? contentType : OCTETS)

/** A Content-Disposition header with the file's name: an ASCII form for old clients, then the exact name (RFC 6266, RFC 8187). */
export function attachmentDisposition(filename: string): string {
  const plain = filename.replace(/[^A-Za-z0-9 ._-]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/**
 * Reads a Range header (RFC 9110, 14.2) for a file of `size` bytes. Null: send the whole file, because there is no header, no byte range, or
 * more than one range, which a server may answer so. 'UNSATISFIABLE': the range has no byte of the file.
 */
export function readRange(header: string | undefined, size: number): ByteRange | null | 'UNSATISFIABLE' {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const suffix = Math.min(Number(last), size)
    return suffix === 0 ? 'UNSATISFIABLE' : { start: size - suffix, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'UNSATISFIABLE' : { start, end }
}

type DownloadPlan = {
  status: 200 | 206 | 416
  headers: Record<string, string>
  /** the part of the file to send; null: nothing */
  range: ByteRange | null
}

type RequestHeaders = Readonly<Record<string, string | undefined>>

/**
 * The response to a download. The ETag is the file's SHA-256; an If-Range with any other value requests the whole file (RFC 9110, 13.1.5).
 */
export function planDownload(file: Omit<StoredFile, 'objectKey'>, request: RequestHeaders): DownloadPlan {
  const etag = `"${file.sha256}"`
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-disposition': attachmentDisposition(file.filename),
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': inertType(file.contentType),
    etag,
    'x-content-type-options': 'nosniff',
  }
  const ifRange = request['if-range']
  const asked = ifRange === undefined || ifRange.trim() === etag ? readRange(request.range, file.size) : null
  if (asked === 'UNSATISFIABLE') {
    const empty = { 'content-length': '0', 'content-range': `bytes */${file.size}` }
    return { status: 416, headers: { ...headers, ...empty }, range: null }
  }
  if (asked === null) {
    const range = file.size === 0 ? null : { start: 0, end: file.size - 1 }
    return { status: 200, headers: { ...headers, 'content-length': String(file.size) }, range }
  }
  const part = {
    'content-length': String(asked.end - asked.start + 1),
    'content-range': `bytes ${asked.start}-${asked.end}/${file.size}`,
  }
  return { status: 206, headers: { ...headers, ...part }, range: asked }
}

/** The response of a route that serves a stored file as a download. */
export function answerDownload(
  objects: ObjectStore,
  file: StoredFile,
  request: RequestHeaders,
): { status: number; headers: Record<string, string>; body: Readable | null } {
  const { status, headers, range } = planDownload(file, request)
  return { status, headers, body: range && objects.read(file.objectKey, range) }
}
