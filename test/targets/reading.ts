// Reads what a request brings: its body in the formats that the service takes, its query and its cookies.
import type { IncomingMessage } from 'node:http'
import { Refusal } from './route.ts'

const LARGEST = 2 * 1024 * 1024

type Body = { bytes: Buffer; fields(isFaultShown: boolean): Record<string, unknown> }

/** At most two megabytes; a larger body is refused. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > LARGEST) throw new Refusal(413, 'The body is too large')
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const type = request.headers['content-type'] ?? ''
  return { bytes, fields: (isFaultShown) => fieldsOf(bytes, type, isFaultShown) }
}

function fieldsOf(bytes: Buffer, type: string, isFaultShown: boolean): Record<string, unknown> {
  if (bytes.length === 0) return {}
  if (type.includes('json')) {
    try {
      const value: unknown = JSON.parse(bytes.toString())
      if (Array.isArray(value)) return { list: value }
      return typeof value === 'object' && value !== null ? { ...value } : {}
    } catch (error) {
      const { stack = '' } = isFaultShown && error instanceof Error ? error : {}
      throw new Refusal(400, stack || 'The body is not JSON')
    }
  }
  if (type.includes('x-www-form-urlencoded')) return readQuery(`?${bytes.toString()}`)
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  return boundary === undefined ? {} : readParts(bytes, boundary)
}

/** A file field becomes `{ filename, type, content }`. */
function readParts(bytes: Buffer, boundary: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const part of bytes.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n')
    const head = part.slice(0, end)
    const content = Buffer.from(part.slice(end + 4, -2), 'latin1')
    const name = /[; ]name="([^"]*)"/.exec(head)?.[1] ?? ''
    const filename = /filename="([^"]*)"/.exec(head)?.[1]
    const type = /content-type: *(\S+)/i.exec(head)?.[1] ?? 'application/octet-stream'
    fields[name] = filename === undefined ? content.toString() : { filename, type, content }
  }
  return fields
}

/** The last value of each name. */
export function readQuery(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

export function readCookies(header = ''): Record<string, string> {
  const pairs = header.split(/; */).map((pair) => {
    const cut = pair.indexOf('=')
    return [pair.slice(0, cut), decoded(pair.slice(cut + 1))] as const
  })
  return Object.fromEntries(pairs.filter(([name]) => name !== ''))
}

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
