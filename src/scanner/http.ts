// Sends one request over HTTP/1.1 exactly as written, with limits on time and size, to permitted addresses only.

import { isIP } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type Allowed, refusalOf } from '../core/outbound-address.ts'
import { OutboundFailed } from '../core/outbound-errors.ts'
import { BadAnswer, fieldOf } from './answer-head.ts'
import { openReader } from './answer-reader.ts'
import { type CertificateFault, faultsOf } from './certificates.ts'
import { type Connection, openConnections, type Place } from './connections.ts'
import { guardedLookup } from './guarded-lookup.ts'
import { SendFailed } from './outcome.ts'
import { textToSend } from './request-text.ts'
import type { HttpAnswer, HttpRequest } from './types.ts'

export type Transport = {
  /** Rejects with SendFailed. Redirects are answers like others. */
  send: (request: HttpRequest, limits: { timeout: number; largest: number }) => Promise<HttpAnswer>
  /** What is wrong with the certificate that the host of that address answered with; nothing where it did not. */
  certificateFaults: (url: string) => readonly CertificateFault[]
  close: () => void
}

/** Hosts whose certificates are kept in mind. */
const MOST_HOSTS = 100

/** `connections`: how many are kept for the next request. `signal` ends what is under way, and what is sent after. */
type TransportOptions = { allowed: Allowed; connections: number; signal?: AbortSignal }

/**
 * Opens connections that are kept alive; certificates are taken as they are, since a target under test often has none that is trusted.
 * Node's client takes twice the processor time, most of it for streams that a scan has no use for.
 */
export function openTransport({ allowed, connections: most, signal }: TransportOptions): Transport {
  const faults = new Map<string, readonly CertificateFault[]>()
  const connections = openConnections(most, guardedLookup(allowed), ({ host, port }, socket) => {
    const key = `${host}:${port}`
    if (!faults.has(key) && faults.size < MOST_HOSTS) faults.set(key, faultsOf(socket, host))
  })
  /** of addresses that are named by their number */
  const refusals = new Map<string, string | null>()
  const refusalOfNumber = (host: string): string | null => {
    if (isIP(host) === 0) return null
    const known = refusals.get(host)
    if (known !== undefined) return known
    const refusal = refusalOf(host, allowed, host)
    if (refusals.size < 1_000) refusals.set(host, refusal)
    return refusal
  }

  /** One listener for all of them: listeners that come and go keep each other, and what they hold, past many collections. */
  const underWay = new Set<() => void>()
  const cut = () => {
    for (const abort of [...underWay]) abort()
  }
  signal?.addEventListener('abort', cut, { once: true })

  const send: Transport['send'] = async (request, limits) => {
    try {
      return await once(request, limits, false)
    } catch (error) {
      // a kept connection that the target closed meanwhile says nothing about this request
      if (error instanceof StaleConnection && !signal?.aborted) return await once(request, limits, true)
      throw error
    }
  }

  const once = (
    request: HttpRequest,
    { timeout, largest }: { timeout: number; largest: number },
    isNew: boolean,
  ): Promise<HttpAnswer> =>
    new Promise((done, failed) => {
      const place = readPlace(request.url)
      if (place === null) return failed(new SendFailed('BAD_ANSWER', 'the address cannot be called'))
      const refusal = refusalOfNumber(place.host)
      if (refusal !== null) return failed(new SendFailed('FORBIDDEN_ADDRESS', refusal))
      const text = textToSend(request, place.target)
      if (text === null) return failed(new SendFailed('BAD_ANSWER', 'a header cannot be sent'))
      if (signal?.aborted) return failed(new SendFailed('CUT', 'canceled'))

      const connection: Connection = connections.take(place, isNew)
      const reader = openReader(request.method, largest)
      let sentAt = performance.now()
      let ms = 0
      const settle = () => {
        clearTimeout(timer)
        underWay.delete(abort)
      }
      const end = (error: SendFailed) => {
        settle()
        connection.destroy()
        failed(error)
      }
      const abort = () => end(new SendFailed('CUT', 'canceled'))
      const timer = setTimeout(() => end(new SendFailed('TIMEOUT')), timeout)
      underWay.add(abort)
      connection.exchange({
        head: text.head,
        body: text.body,
        reader,
        onSent: () => {
          sentAt = performance.now()
        },
        onHead: () => {
          ms = performance.now() - sentAt
        },
        onDone: () => {
          settle()
          if (reader.isKept() && !text.isLast) connection.release()
          else connection.destroy()
          const { status, headers } = reader.head() ?? { status: 0, headers: [] }
          const { body, isPacked } = unpack(reader.body(), headers, largest)
          done({ status, headers, body, isCut: reader.isCut() || isPacked, ms })
        },
        onError: (error) => end(readError(error, connection.isUsed)),
      })
    })

  return {
    send,
    certificateFaults(url) {
      const place = readPlace(url)
      return (place && faults.get(`${place.host}:${place.port}`)) ?? []
    },
    close() {
      signal?.removeEventListener('abort', cut)
      connections.close()
    },
  }
}

class StaleConnection extends SendFailed {
  constructor() {
    super('CUT', 'the connection was closed')
  }
}

function readError(error: NodeJS.ErrnoException, wasKept: boolean): SendFailed {
  if (error instanceof BadAnswer) return new SendFailed('BAD_ANSWER', error.message)
  const code = error.code ?? ''
  if (wasKept && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection()
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|ETIMEDOUT)/.test(code))
    return new SendFailed('UNREACHABLE', code)
  if (error instanceof OutboundFailed)
    return new SendFailed(error.reason === 'NOT_FOUND' ? 'UNREACHABLE' : 'FORBIDDEN_ADDRESS', error.message)
  return new SendFailed('CUT', code || error.message)
}

const MOST_PORT = 65_535

/** Splits an address without normalising its path: `/a/../b` and `//` stay. Null when it is none of HTTP's. */
export function readPlace(url: string): (Place & { target: string }) | null {
  const parts = /^(https?:)\/\/(\[[0-9a-f:.]{2,45}\]|[^/?#:@\s]{1,253})(?::(\d{1,5}))?([/?][^#]*)?/i.exec(url)
  if (parts === null) return null
  const [, scheme = '', host = '', port, target = '/'] = parts
  if (Number(port ?? 0) > MOST_PORT) return null
  const protocol = scheme.toLowerCase() === 'https:' ? 'https:' : 'http:'
  return {
    protocol,
    host: host.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : protocol === 'https:' ? 443 : 80,
    target: sendable(target.startsWith('/') ? target : `/${target}`),
  }
}

/** What would end the request line is escaped, and so is what is not ASCII. */
const sendable = (target: string): string =>
  /^[\x21-\x7e]*$/.test(target)
    ? target
    : target.replace(/[\p{Cc} ]|\P{ASCII}/gu, (one) => {
        const bytes = Buffer.from(one, 'utf8')
        return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
      })

function unpack(body: Buffer, headers: HttpAnswer['headers'], largest: number): { body: Buffer; isPacked: boolean } {
  const encoding = fieldOf(headers, 'content-encoding').trim().toLowerCase()
  if (body.length === 0 || encoding === '' || encoding === 'identity') return { body, isPacked: false }
  const bound = { maxOutputLength: largest }
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return { body: gunzipSync(body, bound), isPacked: false }
    if (encoding === 'deflate') return { body: inflateSync(body, bound), isPacked: false }
    if (encoding === 'br') return { body: brotliDecompressSync(body, bound), isPacked: false }
  } catch {
    return { body: Buffer.alloc(0), isPacked: true }
  }
  return { body, isPacked: true }
}

/** The first value of a header, '' when the answer has none. */
export const headerOf = ({ headers }: HttpAnswer, name: string): string => fieldOf(headers, name)

export function headersOf({ headers }: HttpAnswer, name: string): string[] {
  const values: string[] = []
  for (const [given, value] of headers) if (given === name) values.push(value)
  return values
}

/** The media type in lower case, without parameters; '' when there is none. */
export const mediaTypeOf = (answer: HttpAnswer): string =>
  (headerOf(answer, 'content-type').split(';')[0] ?? '').trim().toLowerCase()

/** The whole of a body as text, by its charset where it is Latin 1, else UTF-8. */
export const textOf = (answer: HttpAnswer): string =>
  answer.body.toString(
    /charset="?(iso-8859-1|latin1|windows-1252)/i.test(headerOf(answer, 'content-type')) ? 'latin1' : 'utf8',
  )
