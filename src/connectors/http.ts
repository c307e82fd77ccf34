// The HTTP client of all connectors: bound to one integration, with every JSON answer parsed by a schema.

import type { z } from 'zod'
import type { OutboundAnswer } from '../core/outbound.ts'
import { OutboundFailed } from '../core/outbound-errors.ts'
import type { ClientOptions, Schema, VendorClient } from './client.ts'
import { VendorFailed, VendorRefused } from './errors.ts'
import { failureOf, isSignInPage, readJson } from './http-answers.ts'
import type { CallOptions } from './http-request.ts'
import type { Around } from './one-try.ts'
import type { Path } from './paths.ts'
import { openTries } from './tries.ts'

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
