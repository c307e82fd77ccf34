// The HTTP client of all connectors: bound to one integration, with every JSON answer parsed by a schema.

import type { z } from 'zod'
import type { OutboundAnswer } from '../core/outbound.ts'
import { OutboundFailed } from '../core/outbound-errors.ts'
import { VendorFailed, VendorRefused } from './errors.ts'
import { failureOf, isSignInPage, type patiences, readJson } from './http-answers.ts'
import type { CallOptions, Method, Spoken } from './http-request.ts'
import type { Around } from './one-try.ts'
import type { Path } from './paths.ts'
import { openTries } from './tries.ts'
import type { Credential } from './types.ts'

/** Provides the credential of an integration, and handles one that the vendor refused. */
export type Credentials = {
  current: () => Promise<Credential>
  /** Another credential than the refused one; null if there is none. */
  renew: (refused: Credential) => Promise<Credential | null>
  /** The vendor refused it and there is no other: marks the integration as broken. */
  reject: (refused: Credential) => Promise<void>
  /** Receives the outcome of every call; returns at once. */
  noted?: (outcome: Outcome) => void
}

/** `failure` is null if the call succeeded. `remaining`: what is left of the vendor's rate limit; null if the vendor does not say. */
export type Outcome = { failure: VendorFailed | VendorRefused | null; remaining: number | null }

export type VendorAnswer<T> = { status: number; headers: Readonly<Record<string, string>>; value: T }

/** The schema by which an answer is read; null: the answer is ignored. */
type Schema<T> = z.ZodType<T> | null

/** Every call rejects with VendorFailed or VendorRefused. Paths come from `at` or `next`, so that no part of one can escape. */
export type VendorClient = {
  get<T>(path: Path, schema: z.ZodType<T>, options?: CallOptions): Promise<T>
  post<T>(path: Path, json: unknown, schema: Schema<T>, options?: CallOptions): Promise<T>
  put<T>(path: Path, json: unknown, schema: Schema<T>, options?: CallOptions): Promise<T>
  patch<T>(path: Path, json: unknown, schema: Schema<T>, options?: CallOptions): Promise<T>
  delete(path: Path, options?: CallOptions): Promise<void>
  /** As the others, with status and headers. */
  answer<T>(method: Method, path: Path, schema: Schema<T>, options?: CallOptions): Promise<VendorAnswer<T>>
  /**
   * The content at the path, of any type but a web page, as a stream: at most `largest` bytes within `timeout`, which is for all
   * of it. Reading rejects as a call does.
   */
  stream(path: Path, options?: CallOptions): Promise<AsyncIterable<Uint8Array>>
  /** The path of an address from the vendor, absolute or relative; LED_ELSEWHERE if it has another origin. */
  next(address: string): Path
  /** The same credential at another address of the vendor: a constant of the connector, never taken from an answer. */
  sibling(base: string): VendorClient
}

export type ClientOptions = {
  connector: Spoken
  base: string
  /** names the credential, for what is counted by credential; held in memory alone */
  key: string
  credentials: Credentials
  /** CALLER: a person waits for the answer, seconds; JOB: minutes */
  patience: keyof typeof patiences
}

/** ADDRESS when the base, which may be a setting, is no address. */
export function originOf({ base, connector }: ClientOptions): string {
  const url = URL.parse(base)
  if (url === null) throw new VendorRefused(connector.name, 'ADDRESS')
  return url.origin
}

/** `again` opens a client like this one at another base. */
export function openClient(options: ClientOptions, around: Around, again: (options: ClientOptions) => VendorClient) {
  const { base } = options
  const { name } = options.connector
  const origin = originOf(options)
  const perform = openTries(options, around, origin)

  const answer: VendorClient['answer'] = async (method, path, schema, call = {}) => {
    const given = await perform(method, path, call)
    const { status, headers } = given
    return { status, headers, value: schema === null ? (undefined as never) : parsed(name, given, schema) }
  }

  const sending =
    (method: 'POST' | 'PUT' | 'PATCH') =>
    async <T>(path: Path, json: unknown, schema: Schema<T>, call: CallOptions = {}): Promise<T> =>
      (await answer(method, path, schema, { body: { json }, ...call })).value

  const opened: VendorClient = {
    get: async (path, schema, call) => (await answer('GET', path, schema, call)).value,
    post: sending('POST'),
    put: sending('PUT'),
    patch: sending('PATCH'),
    delete: async (path, call) => void (await answer('DELETE', path, null, call)),
    answer,
    stream: async (path, call) =>
      streamed(name, await perform('GET', path, { headers: { accept: '*/*' }, ...call, isStreamed: true })),
    next(address) {
      const url = address === '' ? null : URL.parse(address, `${base}/`)
      if (url?.origin !== origin || url.username !== '' || url.password !== '') {
        throw new VendorFailed(name, 'LED_ELSEWHERE')
      }
      return { text: url.pathname + url.search, pattern: '(next)', isWhole: true }
    },
    sibling: (other) => again({ ...options, base: other }),
  }
  return opened
}

type Given = Pick<OutboundAnswer, 'status' | 'headers' | 'body'>

/** The JSON of an answer as the schema reads it; BROKEN_ANSWER if it is a web page, no JSON, or not as described. */
function parsed<T>(vendor: string, given: Given, schema: z.ZodType<T>): T {
  const broken = (detail: string) => new VendorFailed(vendor, 'BROKEN_ANSWER', { status: given.status, detail })
  requireData(vendor, given)
  let json: unknown
  try {
    json = readJson(given.body)
  } catch {
    throw broken('it is not JSON')
  }
  const read = schema.safeParse(json)
  if (read.success) return read.data
  const [fault] = read.error.issues
  throw broken(`${fault?.path.join('.') || 'it'} is not as described (${fault?.code})`)
}

/** The chunks of an answer as they arrive; BROKEN_ANSWER if they are a web page. */
async function* streamed(vendor: string, { status, headers, chunks }: OutboundAnswer): AsyncGenerator<Uint8Array> {
  try {
    let isBegun = false
    for await (const chunk of chunks ?? []) {
      if (!isBegun) requireData(vendor, { status, headers, body: Buffer.from(chunk) })
      isBegun = true
      yield chunk
    }
    if (!isBegun) requireData(vendor, { status, headers, body: Buffer.alloc(0) })
  } catch (error) {
    throw error instanceof OutboundFailed ? failureOf(vendor, error, false).error : error
  }
}

function requireData(vendor: string, given: Given): void {
  if (!isSignInPage(given)) return
  throw new VendorFailed(vendor, 'BROKEN_ANSWER', { status: given.status, detail: 'it is a web page, not data' })
}
