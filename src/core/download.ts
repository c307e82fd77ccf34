// Downloads of stored files: harmless in every browser, whole or one range of bytes.

import type { Readable } from 'node:stream'
import type { ObjectStore } from './objects.ts'

/** A file as its row knows it; `size` in bytes, `sha256` in hexadecimal. */
export type StoredFile = { objectKey: string; filename: string; contentType: string; size: number; sha256: string }

/** Both ends included, in bytes. */
export type ByteRange = { start: number; end: number }

/** Types that no browser runs as a page of ours; every other file is called a stream of bytes. */
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

/** A Content-Disposition that saves the file under its name: plain characters for old clients, then the name itself (RFC 6266, RFC 8187). */
export function attachmentDisposition(filename: string): string {
  const plain = filename.replace(/[^A-Za-z0-9 ._-]/g, '_')
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/**
 * Reads a Range header (RFC 9110, 14.2) for a file of `size` bytes. Null: send the whole, because there is no header, one that is
 * no range of bytes, or several ranges, which a server may answer so. 'UNSATISFIABLE': no byte of the file is asked for.
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

export type DownloadPlan = {
  status: 200 | 206 | 416
  headers: Record<string, string>
  /** what of the file is sent; null: nothing */
  range: ByteRange | null
}

type RequestHeaders = Readonly<Record<string, string | undefined>>

/**
 * What a download is answered with. The ETag is the file's SHA-256; an If-Range that is not this ETag asks for the whole
 * (RFC 9110, 13.1.5).
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

/** The answer of a route that gives a stored file to be saved. */
export function answerDownload(
  objects: ObjectStore,
  file: StoredFile,
  request: RequestHeaders,
): { status: number; headers: Record<string, string>; body: Readable | null } {
  const { status, headers, range } = planDownload(file, request)
  return { status, headers, body: range && objects.read(file.objectKey, range) }
}
