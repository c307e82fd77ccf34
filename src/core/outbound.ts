// The only client for other hosts: https calls to public addresses, limited in time and size, that follow no redirect to another host unasked.

import { type Duplex, PassThrough, pipeline } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress, createGunzip, createInflate, gunzip, inflate } from 'node:zlib'
import { Agent, type Dispatcher, request as send } from 'undici'
import { allowedCall } from './calls-allowed.ts'
import type { Certificate } from './certificate.ts'
import type { Resolve } from './judged-addresses.ts'
import type { Log } from './log.ts'
import { type Allowed, nothingAllowed } from './outbound-address.ts'
import { guardedConnector } from './outbound-connect.ts'
import { OutboundFailed, readFailure } from './outbound-errors.ts'

export type OutboundRequest = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | null
  /** bytes of the response body, compressed or not */
  largest: number
  /** milliseconds in total */
  timeout: number
  /** milliseconds without a byte; 30,000 by default */
  silence?: number
  /**
   * redirects of a GET or HEAD; by default none is followed. `anywhere` judges each address again and sends no headers to another origin
   */
  redirects?: 'none' | 'same-origin' | 'anywhere'
  signal?: AbortSignal
  /** A successful response is streamed as `chunks` instead of `body`. */
  isStreamed?: boolean
}

/** Header names are in lower case; values of repeated headers are joined by commas. */
export type OutboundAnswer = {
  status: number
  headers: Record<string, string>
  body: Buffer
  url: string
  /** rejects with OutboundFailed as `call` does; to be read once, to the end or until the reader leaves */
  chunks?: AsyncIterable<Uint8Array>
}

export type Outbound = {
  /** Returns the host's response, whatever its status; rejects with OutboundFailed. */
  call(address: string, request: OutboundRequest): Promise<OutboundAnswer>
  close(): Promise<void>
}

export type OutboundOptions = {
  allowed?: Allowed
  /** the certificate accepted instead of one issued by a trusted authority; null: none */
  certificate?: Certificate | null
  log?: Log
  resolve?: Resolve
  /** For tests: the origin of a fake host that replaces an origin; null: none. */
  standIn?: (origin: string) => string | null
}

const MOST_REDIRECTS = 5
const LONGEST_ADDRESS = 8_000
const SILENCE = 30_000

/** Creates the client; its callers share keep-alive connections. */
export function openOutbound(options: OutboundOptions = {}): Outbound {
  const { allowed = nothingAllowed, certificate, log, resolve, standIn } = options
  const limits = { connections: 32, keepAliveTimeout: 10_000, maxHeaderSize: 32 * 1024 }
  const agent = new Agent({ ...limits, connect: guardedConnector(allowed, resolve, certificate) })
  const direct = standIn ? new Agent(limits) : agent

  const step: Step = (url, request, signal) => {
    const stranger = standIn?.(url.origin) ?? null
    const target = stranger === null ? url.href : stranger + url.pathname + url.search
    return callOnce({ target, shown: url.href, dispatcher: stranger === null ? agent : direct }, request, signal)
  }

  return {
    async call(address, request) {
      const began = performance.now()
      const ends = [request.signal, allowedCall(), AbortSignal.timeout(request.timeout)]
      const signal = AbortSignal.any(ends.filter((end) => end != null))
      const told = { method: request.method ?? 'GET', host: URL.parse(address)?.host }
      try {
        const answer = await follow(step, readTarget(address, allowed), request, { allowed, signal })
        log?.debug({ ...told, status: answer.status, ms: Math.round(performance.now() - began) }, 'Called outside')
        return answer
      } catch (error) {
        const reason = error instanceof OutboundFailed ? error.reason : undefined
        log?.debug({ ...told, reason, ms: Math.round(performance.now() - began) }, 'A call outside failed')
        throw error
      }
    },
    async close() {
      await Promise.all([agent.destroy(), direct === agent ? null : direct.destroy()])
    },
  }
}

/** One request, whose redirect is not followed. */
type Step = (url: URL, request: OutboundRequest, signal: AbortSignal) => Promise<OutboundAnswer>

/** Sends one request to `target`; the answer says that it came from `shown`. */
async function callOnce(
  { target, shown, dispatcher }: { target: string; shown: string; dispatcher: Dispatcher },
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const silence = request.silence ?? SILENCE
  try {
    signal.throwIfAborted()
    const { statusCode, ...answer } = await send(target, {
      dispatcher,
      method: request.method ?? 'GET',
      headers: headersOf(request),
      body: request.body ?? null,
      headersTimeout: silence,
      bodyTimeout: silence,
      signal,
    })
    const headers = plainHeaders(answer.headers)
    if (request.isStreamed && statusCode >= 200 && statusCode < 300) {
      const chunks = streamBody(answer.body, headers, request.largest)
      return { status: statusCode, headers, body: Buffer.alloc(0), url: shown, chunks }
    }
    return { status: statusCode, headers, body: await readBody(answer.body, headers, request.largest), url: shown }
  } catch (error) {
    throw readFailure(error, true)
  }
}

/** Follows redirects as the request allows; each address is judged anew, and another origin gets no headers. */
async function follow(
  step: Step,
  target: URL,
  request: OutboundRequest,
  { allowed, signal }: { allowed: Allowed; signal: AbortSignal },
): Promise<OutboundAnswer> {
  let url = target
  let asked = request
  for (let hops = 0; ; hops += 1) {
    const answer = await step(url, asked, signal)
    const next = redirectOf(answer, asked)
    if (next === null) return answer
    if (hops === MOST_REDIRECTS) throw new OutboundFailed('SENT_ELSEWHERE', true, 'too many redirects')
    const onwards = readTarget(URL.parse(next, url.href)?.href ?? '', allowed)
    if (onwards.origin !== url.origin) {
      if (request.redirects !== 'anywhere') throw new OutboundFailed('SENT_ELSEWHERE', true)
      asked = { ...asked, headers: {} }
    }
    url = onwards
  }
}

/** Requires https without credentials, or http if the operator allowed it; otherwise BAD_ADDRESS. */
export function readTarget(address: string, allowed: Allowed): URL {
  const refuse = (why: string) => new OutboundFailed('BAD_ADDRESS', false, why)
  if (address.length > LONGEST_ADDRESS) throw refuse('it is too long')
  if (/[\s\\\p{Cc}]/u.test(address)) throw refuse('it has a blank, a control character or a backslash')
  const url = URL.parse(address)
  if (url === null || url.hostname === '') throw refuse('it is not an address')
  if (url.username !== '' || url.password !== '') throw refuse('it has credentials')
  const isPlain = url.protocol === 'http:' && allowed.plain.has(url.hostname.replace(/^\[(.*)\]$/, '$1'))
  if (url.protocol !== 'https:' && !isPlain) throw refuse('it is not an https address')
  url.hash = ''
  return url
}

function redirectOf(answer: OutboundAnswer, { method = 'GET', redirects = 'none' }: OutboundRequest): string | null {
  const isRedirect = [301, 302, 303, 307, 308].includes(answer.status)
  if (!isRedirect || redirects === 'none' || !['GET', 'HEAD'].includes(method)) return null
  return answer.headers.location ?? null
}

function headersOf({ headers = {} }: OutboundRequest): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (/^[\w-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value)) continue
    throw new OutboundFailed('BAD_ADDRESS', false, `the header ${name} cannot be sent`)
  }
  return { 'user-agent': 'merlon', 'accept-encoding': 'gzip', ...headers }
}

const plainHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

const tooLargeFor = (largest: number) => new OutboundFailed('TOO_LARGE', true, `more than ${largest} bytes`)

async function readBody(body: Dispatcher.ResponseData['body'], headers: Record<string, string>, largest: number) {
  const tooLarge = () => tooLargeFor(largest)
  // an unread body ends with an error, which needs a listener
  body.on('error', () => {})
  if (Number(headers['content-length'] ?? 0) > largest) {
    body.destroy()
    throw tooLarge()
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > largest) throw tooLarge()
    chunks.push(chunk)
  }
  const packed = Buffer.concat(chunks)
  const encoding = encodingOf(headers)
  if (encoding === '' || encoding === 'identity' || packed.length === 0) return packed
  const unpack = Object.entries(unpackers).find(([name]) => name === encoding)?.[1]
  if (!unpack) throw new OutboundFailed('UNREADABLE', true, encoding.slice(0, 20))
  return unpack(packed, { maxOutputLength: largest }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error
  })
}

const encodingOf = (headers: Record<string, string>) => headers['content-encoding']?.trim().toLowerCase() ?? ''

const unpacking: Record<string, () => Duplex> = {
  '': () => new PassThrough(),
  identity: () => new PassThrough(),
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The bytes of a body as they arrive, decompressed; TOO_LARGE beyond `largest`. */
async function* streamBody(
  body: Dispatcher.ResponseData['body'],
  headers: Record<string, string>,
  largest: number,
): AsyncGenerator<Uint8Array> {
  const encoding = encodingOf(headers)
  const unpack = unpacking[encoding]?.()
  try {
    if (!unpack) throw new OutboundFailed('UNREADABLE', true, encoding.slice(0, 20))
    let size = 0
    // an error on either side ends the reading below
    const chunks: AsyncIterable<Buffer> = pipeline(body, unpack, () => {})
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > largest) throw tooLargeFor(largest)
      yield chunk
    }
  } catch (error) {
    throw readFailure(error, true)
  } finally {
    body.on('error', () => {})
    body.destroy()
  }
}
