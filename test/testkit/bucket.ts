// A bucket behind the protocol of S3, as far as the object store uses it: in memory, listed in short pages. It refuses and hangs up when told so.

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How many keys a page of the list has; real ones have 1,000. */
const LISTED_AT_ONCE = 3

type Stored = { bytes: Buffer; changedAt: Date }

type Trouble =
  | { kind: 'REFUSES'; status: number; code: string }
  /** hangs up before it answers */
  | { kind: 'HANGS_UP' }
  /** hangs up in the middle of its answer */
  | { kind: 'CUTS' }
  /** never answers */
  | { kind: 'WAITS' }

export type FakeBucket = {
  endpoint: string
  name: string
  objects: Map<string, Stored>
  /** what becomes of the next requests, one after the other; the others succeed */
  troubles: Trouble[]
  /** what becomes of requests that are such, by their method and key, for as long as it is set and `troubles` has nothing */
  lasting: { isOf: (asked: string) => boolean; trouble: Trouble } | null
  /** method and key of each request */
  asked: string[]
  stop(): Promise<void>
}

type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer }

export async function openBucket(name: string): Promise<FakeBucket> {
  const objects = new Map<string, Stored>()
  const troubles: Trouble[] = []
  const asked: string[] = []
  const state: Pick<FakeBucket, 'lasting'> = { lasting: null }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bucket')
    const [, bucket, ...rest] = pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    const wanted = `${request.method} ${key}`
    asked.push(wanted)
    const bytes = Buffer.concat(await request.toArray())
    const lasting = state.lasting?.isOf(wanted) ? state.lasting.trouble : undefined
    const trouble = troubles.shift() ?? lasting
    const isKnown = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')
    const answer = (): Answer => {
      if (trouble?.kind === 'REFUSES') return refusal(trouble.status, trouble.code)
      if (!isKnown) return refusal(403, 'AccessDenied')
      if (bucket !== name) return refusal(404, 'NoSuchBucket')
      return key === '' ? list(objects, searchParams) : answerFor(objects, key, request, bytes)
    }
    const { status, headers = {}, body = '' } = answer()
    if (trouble?.kind === 'WAITS') return
    if (trouble?.kind === 'HANGS_UP') request.socket.destroy()
    else if (trouble?.kind === 'CUTS') {
      response.writeHead(status, { ...headers, 'content-length': body.length })
      response.write(body.slice(0, body.length / 2), () => response.destroy())
    } else response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(state, {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    name,
    objects,
    troubles,
    asked,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

const refusal = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<Error><Code>${code}</Code><Message>${code} was told</Message></Error>`,
})

function answerFor(objects: Map<string, Stored>, key: string, asking: IncomingMessage, bytes: Buffer): Answer {
  const { method, headers } = asking
  if (method === 'PUT') return put(objects, key, headers, bytes)
  if (method === 'DELETE') {
    objects.delete(key)
    return { status: 204 }
  }
  const there = objects.get(key)
  if (!there) return refusal(404, 'NoSuchKey')
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  return {
    status: start === undefined ? 200 : 206,
    headers: { 'last-modified': there.changedAt.toUTCString() },
    body: start === undefined ? there.bytes : there.bytes.subarray(Number(start), Number(end) + 1),
  }
}

function put(objects: Map<string, Stored>, key: string, headers: IncomingMessage['headers'], bytes: Buffer): Answer {
  const told = headers['x-amz-checksum-sha256']
  if (told && told !== createHash('sha256').update(bytes).digest('base64')) return refusal(400, 'BadDigest')
  if (headers['if-none-match'] === '*' && objects.has(key)) return refusal(412, 'PreconditionFailed')
  objects.set(key, { bytes, changedAt: new Date() })
  return { status: 200 }
}

function list(objects: Map<string, Stored>, asked: URLSearchParams): Answer {
  const keys = [...objects.keys()].filter((key) => key.startsWith(asked.get('prefix') ?? '')).sort()
  const from = Number(asked.get('continuation-token') ?? 0)
  const contents = keys.slice(from, from + LISTED_AT_ONCE).map((key) => `<Contents><Key>${key}</Key></Contents>`)
  const next = from + LISTED_AT_ONCE
  const more = next < keys.length ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: `<ListBucketResult>${contents.join('')}${more}</ListBucketResult>`,
  }
}
