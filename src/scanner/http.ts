// Sends one request over HTTP/1.1 as it is written, within a time and a size, to addresses that may be called.

import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type Allowed, refusalOf } from '../core/outbound-address.ts'
import { SendFailed } from './outcome.ts'
import type { HttpAnswer, HttpRequest } from './types.ts'

export type Transport = {
  /** Rejects with SendFailed. Redirects are answers like others. */
  send: (request: HttpRequest, limits: { timeout: number; largest: number }) => Promise<HttpAnswer>
  close: () => void
}

/** `signal` ends what is under way, and what is sent after. */
export type TransportOptions = { allowed: Allowed; connections: number; signal?: AbortSignal }

/** Opens kept-alive connections; certificates are not judged, since a target under test often has none that is trusted. */
export function openTransport({ allowed, connections, signal }: TransportOptions): Transport {
  const guarded = guardedLookup(allowed)
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
  const shared = { keepAlive: true, maxSockets: connections, maxFreeSockets: connections, scheduling: 'lifo' as const }
  const agents = {
    'http:': new http.Agent(shared),
    'https:': new https.Agent({ ...shared, rejectUnauthorized: false }),
  }

  /** One listener for all of them: listeners that come and go keep each other, and what they hold, past many collections. */
  const underWay = new Set<() => void>()
  const cut = () => {
    for (const abort of underWay) abort()
  }
  signal?.addEventListener('abort', cut, { once: true })

  const send: Transport['send'] = async (request, limits) => {
    try {
      return await once(request, limits)
    } catch (error) {
      // a kept connection that the target closed meanwhile says nothing about this request
      if (error instanceof StaleConnection && !signal?.aborted) return await once(request, limits)
      throw error
    }
  }

  const once: Transport['send'] = (request, { timeout, largest }) =>
    new Promise<HttpAnswer>((done, failed) => {
      const place = readPlace(request.url)
      if (place === null) return failed(new SendFailed('BAD_ANSWER', 'the address cannot be called'))
      const refusal = refusalOfNumber(place.host)
      if (refusal !== null) return failed(new SendFailed('FORBIDDEN_ADDRESS', refusal))
      let settled = false
      let sentAt = performance.now()
      const timer = setTimeout(() => end(new SendFailed('TIMEOUT')), timeout)
      const end = (error: Error) => {
        if (settled) return
        settled = true
        clearTimeout(timer)
        underWay.delete(abort)
        outgoing?.destroy()
        failed(error)
      }
      const abort = () => end(new SendFailed('CUT', 'canceled'))
      let outgoing: http.ClientRequest | null = null
      try {
        outgoing = (place.protocol === 'https:' ? https : http).request({
          agent: agents[place.protocol],
          host: place.host,
          port: place.port,
          path: place.target,
          method: request.method,
          headers: request.headers.flat(),
          setHost: false,
          lookup: guarded,
          insecureHTTPParser: true,
          maxHeaderSize: 128 * 1024,
        })
      } catch (error) {
        return end(new SendFailed('BAD_ANSWER', error instanceof Error ? error.message : String(error)))
      }
      if (signal?.aborted) return abort()
      underWay.add(abort)
      outgoing.on('error', (error: NodeJS.ErrnoException) => end(readError(error, outgoing?.reusedSocket ?? false)))
      outgoing.on('finish', () => {
        sentAt = performance.now()
      })
      outgoing.on('response', (incoming) => {
        const ms = performance.now() - sentAt
        const chunks: Buffer[] = []
        let size = 0
        const finish = (isCut: boolean) => {
          if (settled) return
          settled = true
          clearTimeout(timer)
          underWay.delete(abort)
          if (isCut) outgoing?.destroy()
          const headers = pairsOf(incoming.rawHeaders)
          const { body, isPacked } = unpack(Buffer.concat(chunks), headers, largest)
          done({ status: incoming.statusCode ?? 0, headers, body, isCut: isCut || isPacked, ms })
        }
        incoming.on('data', (chunk: Buffer) => {
          if (settled) return
          size += chunk.length
          chunks.push(size > largest ? chunk.subarray(0, Math.max(0, chunk.length - (size - largest))) : chunk)
          if (size > largest) finish(true)
        })
        incoming.on('end', () => finish(false))
        // what came before the cut is an answer all the same
        incoming.on('error', () => finish(true))
        incoming.on('aborted', () => finish(true))
      })
      outgoing.end(request.body ?? undefined)
    })

  return {
    send,
    close() {
      signal?.removeEventListener('abort', cut)
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

class StaleConnection extends SendFailed {
  constructor() {
    super('CUT', 'the connection was closed')
  }
}

function readError(error: NodeJS.ErrnoException, wasKept: boolean): SendFailed {
  if (error instanceof SendFailed) return error
  const code = error.code ?? ''
  if (wasKept && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection()
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_|ETIMEDOUT)/.test(code))
    return new SendFailed('UNREACHABLE', code)
  if (code === 'FORBIDDEN_ADDRESS') return new SendFailed('FORBIDDEN_ADDRESS', error.message)
  if (code.startsWith('HPE_')) return new SendFailed('BAD_ANSWER', code)
  return new SendFailed('CUT', code || error.message)
}

/** A name of which any address is refused is refused as a whole; what is connected to is the address that was judged. */
const guardedLookup =
  (allowed: Allowed): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { all: true, verbatim: true }).then(
      (addresses) => {
        for (const { address } of addresses) {
          const refusal = refusalOf(address, allowed, hostname.toLowerCase())
          if (refusal !== null) {
            return callback(Object.assign(new Error(refusal), { code: 'FORBIDDEN_ADDRESS' }), '', 4)
          }
        }
        const [first] = addresses
        if (options.all) return callback(null, addresses)
        return first
          ? callback(null, first.address, first.family)
          : callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 4)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 4),
    )
  }

type Place = { protocol: 'http:' | 'https:'; host: string; port: number; target: string }

/** Splits an address without normalising its path: `/a/../b` and `//` stay. Null when it is none of HTTP's. */
export function readPlace(url: string): Place | null {
  const parts = /^(https?:)\/\/(\[[0-9a-f:.]{2,45}\]|[^/?#:@\s]{1,253})(?::(\d{1,5}))?([/?][^#]*)?/i.exec(url)
  if (parts === null) return null
  const [, scheme = '', host = '', port, target = '/'] = parts
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

function pairsOf(raw: readonly string[]): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < raw.length; index += 2)
    pairs.push([(raw[index] ?? '').toLowerCase(), raw[index + 1] ?? ''])
  return pairs
}

function unpack(body: Buffer, headers: HttpAnswer['headers'], largest: number): { body: Buffer; isPacked: boolean } {
  const encoding =
    headers
      .find(([name]) => name === 'content-encoding')?.[1]
      .trim()
      .toLowerCase() ?? ''
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
export const headerOf = ({ headers }: HttpAnswer, name: string): string =>
  headers.find(([given]) => given === name)?.[1] ?? ''

export const headersOf = ({ headers }: HttpAnswer, name: string): string[] =>
  headers.flatMap(([given, value]) => (given === name ? [value] : []))

/** The media type in lower case, without parameters; '' when there is none. */
export const mediaTypeOf = (answer: HttpAnswer): string =>
  (headerOf(answer, 'content-type').split(';')[0] ?? '').trim().toLowerCase()

/** The whole of a body as text, by its charset where it is Latin 1, else UTF-8. */
export const textOf = (answer: HttpAnswer): string =>
  answer.body.toString(
    /charset="?(iso-8859-1|latin1|windows-1252)/i.test(headerOf(answer, 'content-type')) ? 'latin1' : 'utf8',
  )
