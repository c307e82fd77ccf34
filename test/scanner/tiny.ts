// A service of a few lines for one test, and the scan of it with the checks that the test is about.

import { createServer, type ServerResponse } from 'node:http'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { Finding } from '../../src/scanner/finding.ts'
import type { ScanOptions } from '../../src/scanner/options.ts'
import type { Outcome } from '../../src/scanner/outcome.ts'
import type { Identity, Login } from '../../src/scanner/types.ts'

export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  /** parsed where it is JSON, else the text */
  body: unknown
  /** whom the token of the Authorization header stands for: `Bearer a-token` is `a` */
  user: string | null
}

/** A status with JSON, or with a text that has its type. */
export type Answered = [status: number, body: unknown, headers?: Record<string, string | string[]>]

export type Handler = (asked: Asked) => Answered | Promise<Answered>

/** Whom the services of these tests know. */
export const people: Identity[] = ['a', 'b'].map((name) => ({
  name: `user-${name}`,
  headers: [['Authorization', `Bearer ${name}-token`]],
  cookies: [],
  query: [],
}))

/** Serves on a free port of the loopback address while `use` runs. */
export async function serving<T>(handle: Handler, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const url = new URL(`http://localhost${request.url ?? '/'}`)
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const text = Buffer.concat(chunks).toString()
      const user = /^Bearer (\w)-token$/.exec(headers.authorization ?? '')?.[1] ?? null
      const asked = { method: request.method ?? 'GET', path: url.pathname, query: url.searchParams, headers, user }
      write(response, await handle({ ...asked, body: parsed(text) }))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  try {
    return await use(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  } finally {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function write(response: ServerResponse, [status, body, headers = {}]: Answered): void {
  const isText = typeof body === 'string'
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
  // merlon:allow a target that is vulnerable on purpose
  response.end(isText ? body : JSON.stringify(body))
}

/** A JSON schema with an example of itself. */
export const schemaOf = (example: Record<string, unknown>) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, { type: typeof value, example: value }]),
  ),
})

/** Operations of a description: `GET /orders/{id}` with the example of each parameter, `POST /orders` with that of its body. */
export type Described = Record<
  string,
  {
    path?: Record<string, string>
    query?: Record<string, string>
    body?: Record<string, unknown>
    answer?: object
    isOpen?: boolean
  }
>

export const describe = (operations: Described): string => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [key, { path = {}, query = {}, body, answer, isOpen }] of Object.entries(operations)) {
    const [method = '', place = ''] = key.split(' ')
    const parametersIn = (where: string, given: Record<string, string>) =>
      Object.entries(given).map(([name, example]) => ({
        name,
        in: where,
        required: where === 'path',
        schema: { type: 'string', example },
      }))
    paths[place] = {
      ...paths[place],
      [method.toLowerCase()]: {
        parameters: [...parametersIn('path', path), ...parametersIn('query', query)],
        ...(body ? { requestBody: { content: { 'application/json': { schema: schemaOf(body) } } } } : {}),
        responses: {
          default: { description: '', ...(answer ? { content: { 'application/json': { schema: answer } } } : {}) },
        },
        security: isOpen ? [] : [{ token: [] }],
      },
    }
  }
  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
  return JSON.stringify({ openapi: '3.0.3', info: { title: 't', version: '1' }, components, paths })
}

/** What the named checks find at a service; both people are known to it unless the test says else. */
export const findingsOf = (
  handle: Handler,
  checks: string[],
  operations: Described,
  more: Partial<ScanOptions> | ((target: string) => Partial<ScanOptions>) = {},
): Promise<Finding[]> =>
  serving(handle, async (target) => {
    const outcome = await scan({
      target,
      schema: { name: 'openapi.json', text: describe(operations) },
      profile: 'BALANCED',
      identities: people,
      crawl: false,
      browser: false,
      checks,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
      ...(typeof more === 'function' ? more(target) : more),
    })
    if (outcome.state !== 'COMPLETED') throw new Error(`The scan ended ${outcome.state}: ${outcome.reason}`)
    return [...outcome.findings]
  })

export const places = (findings: readonly Finding[]): string[] => findings.map(({ operation }) => operation).sort()

/** A harmless scan of a service that nothing describes. */
export const crawled = (handle: Handler, browser = false, checks = ['clickjacking'], folder = '/'): Promise<Outcome> =>
  serving(handle, (url) =>
    scan({
      target: url + folder,
      profile: 'BASIC',
      identities: [],
      checks,
      browser,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    }),
  )

/** A scan of a service that nothing describes. */
export const scanned = (url: string, more: Partial<ScanOptions> = {}): Promise<Outcome> =>
  scan({
    target: `${url}/`,
    profile: 'BALANCED',
    identities: [],
    checks: ['clickjacking'],
    browser: false,
    allowed: readAllowed('127.0.0.0/8') ?? undefined,
    ...more,
  })

/** What is asked of pages by their paths, and what a scan takes for its operations. */
export async function reached(handle: Handler, more: Partial<ScanOptions> = {}) {
  const got: Asked[] = []
  const service: Handler = (one) => {
    got.push(one)
    return handle(one)
  }
  return { got, ...(await serving(service, (url) => scanned(url, more))) }
}

/** A scan of `GET /items` as somebody who signs in so. */
export const scanOfItems = (url: string, login: Login, more: Partial<ScanOptions> = {}): Promise<Outcome> =>
  scan({
    target: `${url}/`,
    schema: { name: 'openapi.json', text: describe({ 'GET /items': { query: { name: 'tea' } } }) },
    profile: 'BALANCED',
    identities: [{ name: 'ann', headers: [], cookies: [], query: [], login }],
    checks: ['sql-injection-error', 'sql-injection-boolean', 'cross-site-scripting'],
    crawl: false,
    browser: false,
    allowed: readAllowed('127.0.0.0/8') ?? undefined,
    ...more,
  })
