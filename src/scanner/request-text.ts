// A request as it goes over the wire (RFC 9112): its lines, and its body.

import { isNamed } from './points.ts'
import type { HttpRequest } from './types.ts'

/** A name of a header, or a method (RFC 9110, 5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
/** What would end a header, or is no byte. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

type ToSend = { head: string; body: Buffer | null; isLast: boolean }

/** The request as it goes over the wire; null when its method or a header would not arrive as one. */
export function textToSend({ method, headers, body }: HttpRequest, target: string): ToSend | null {
  if (!TOKEN.test(method)) return null
  let head = `${method} ${target} HTTP/1.1\r\n`
  let isLast = false
  let hasLength = false
  let hasConnection = false
  for (const [name, value] of headers) {
    if (!TOKEN.test(name) || UNSENDABLE.test(value)) return null
    head += `${name}: ${value}\r\n`
    if (isNamed(name, 'content-length') || isNamed(name, 'transfer-encoding')) hasLength = true
    if (isNamed(name, 'connection')) {
      hasConnection = true
      isLast = !/keep-alive/i.test(value)
    }
  }
  const length = body === null ? 0 : Buffer.byteLength(body)
  if (!hasConnection) head += 'Connection: keep-alive\r\n'
  if (!hasLength && (body !== null || ['POST', 'PUT', 'PATCH'].includes(method)))
    head += `Content-Length: ${length}\r\n`
  head += '\r\n'
  if (body === null) return { head, body: null, isLast }
  // one piece where each character is a byte
  if (typeof body === 'string' && body.length === length) return { head: head + body, body: null, isLast }
  return { head, body: typeof body === 'string' ? Buffer.from(body) : body, isLast }
}
