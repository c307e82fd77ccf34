// Listens on the loopback address and brings each request to the operation that answers it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Flaw, Switch } from './flaw.ts'
import { readBody, readCookies, readQuery } from './reading.ts'
import { type Answer, type Area, type Call, json, Refusal, type Route } from './route.ts'
import { type State, userBy } from './state.ts'
import { readAccessToken, readSessionToken } from './tokens.ts'

export type Service = {
  /** `http://127.0.0.1:<port>` */
  url: string
  reset(): void
  stop(): Promise<void>
}

/** Starts the service with the flaws that `on` names; throws when it would run as root. */
export async function startService(areas: Area[], on: Switch, makeState: () => State): Promise<Service> {
  if (process.getuid?.() === 0) throw new Error('This service can be broken into on purpose and does not run as root.')

  const routes = areas.flatMap((area) => area.routes).map((route) => ({ route, pattern: patternOf(route.path) }))
  let state = makeState()
  const server = createServer((request, response) => {
    answer(routes, request, state, on).then(
      (given) => write(response, given, headersFor(on, request)),
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    reset: () => {
      state.db.close()
      state = makeState()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Compiled = { route: Route; pattern: RegExp }

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.]/g, '\\.')
      .replace(/\{(\w+)\*\}/g, '(?<$1>.*)')
      .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
  )

async function answer(routes: Compiled[], request: IncomingMessage, state: State, on: Switch): Promise<Answer> {
  try {
    const raw = await readBody(request)
    const method = request.method ?? 'GET'
    const url = new URL(`http://${request.headers.host ?? 'localhost'}${(request.url ?? '/').replace(/^\/*/, '/')}`)
    const path = (request.url ?? '/').split('?')[0] ?? '/'

    if (method === 'TRACE' && on('trace')) return echo(request)
    const candidates = routes.filter(({ pattern }) => pattern.test(path))
    if (candidates.length === 0) return notFound()
    if (method === 'OPTIONS') return { status: 204, headers: { allow: methodsOf(candidates) }, body: '' }

    const found = candidates.find(
      ({ route }) => route.method === method || (route.method === 'GET' && method === 'HEAD'),
    )
    if (found === undefined) return json({ error: 'Method not allowed' }, 405, { allow: methodsOf(candidates) })

    const cookies = readCookies(request.headers.cookie)
    const call: Call = {
      on,
      state,
      method,
      url,
      params: decoded(found.pattern.exec(path)?.groups ?? {}),
      query: readQuery(url.search),
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      cookies,
      body: {},
      raw: raw.bytes,
      user: undefined,
    }
    call.body = raw.fields(found.route.faultsShownBy !== undefined && on(found.route.faultsShownBy))
    call.user = userOf(call)
    refuseStrangers(found.route, call)
    return await found.route.handle(call)
  } catch (error) {
    return failure(error, on)
  }
}

const methodsOf = (candidates: Compiled[]) => candidates.map(({ route }) => route.method).join(', ')

const notFound = () => json({ error: 'Not found' }, 404)

function echo(request: IncomingMessage): Answer {
  const lines = request.rawHeaders.map((value, index) => (index % 2 === 0 ? `${value}: ` : `${value}\r\n`)).join('')
  return {
    headers: { 'content-type': 'message/http' },
    body: `TRACE ${request.url ?? '/'} HTTP/1.1\r\n${lines}\r\n`,
  }
}

function decoded(groups: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        throw new Refusal(400, 'The path is not well formed')
      }
    }),
  )
}

function userOf({ state, headers, cookies, on }: Call) {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
  const name = bearer
    ? readAccessToken(state.keys, bearer, on)
    : cookies.session
      ? readSessionToken(state.keys, cookies.session, on)
      : undefined
  return name === undefined ? undefined : userBy(state, 'name', name)
}

function refuseStrangers({ access = 'public', method, path }: Route, { user, on }: Call): void {
  if (access === 'public' || on(`open:${method} ${path}`)) return
  if (user === undefined) throw new Refusal(401, 'Sign in first')
  if (access === 'admin' && user.role !== 'admin' && !on(`any-user:${method} ${path}`)) {
    throw new Refusal(403, 'This is for administrators')
  }
}

function failure(error: unknown, on: Switch): Answer {
  if (error instanceof Refusal) return json({ error: error.message }, error.status)
  if (on('errors-shown') && error instanceof Error) return json({ error: error.message, stack: error.stack }, 500)
  return json({ error: 'Something went wrong' }, 500)
}

function headersFor(on: Switch, request: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  if (!on('no-content-policy'))
    headers['content-security-policy'] =
      "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'"
  if (!on('framing')) headers['x-frame-options'] = 'DENY'
  if (!on('sniffing')) headers['x-content-type-options'] = 'nosniff'
  if (!on('cached')) headers['cache-control'] = 'no-store'
  if (!on('no-permissions-policy')) headers['permissions-policy'] = 'camera=(), microphone=(), geolocation=()'
  if (!on('no-isolation')) {
    headers['cross-origin-opener-policy'] = 'same-origin'
    headers['cross-origin-resource-policy'] = 'same-origin'
    headers['cross-origin-embedder-policy'] = 'require-corp'
  }
  headers['referrer-policy'] = 'no-referrer'
  if (on('server-named')) {
    headers.server = 'Apache/2.4.49 (Unix)'
    headers['x-powered-by'] = 'PHP/7.1.3'
  }
  const { origin } = request.headers
  if (on('any-origin') && origin !== undefined) {
    headers['access-control-allow-origin'] = origin
    headers['access-control-allow-credentials'] = 'true'
  }
  if (exposing.exposedHeaders !== undefined) headers['access-control-expose-headers'] = exposing.exposedHeaders
  return headers
}

/** What other origins may read of an answer besides, which is nothing unless all objects have it. */
const exposing: { exposedHeaders?: string } = {}

function write(response: ServerResponse, given: Answer, common: Record<string, string | string[]>): void {
  if (given.rawHeaders !== undefined) {
    const { socket } = response
    const lines = Object.entries({ ...common, ...given.headers }).map(
      ([name, value]) => `${name}: ${String(value)}\r\n`,
    )
    socket?.end(
      `HTTP/1.1 ${given.status ?? 200} OK\r\n${lines.join('')}${given.rawHeaders}content-length: ${Buffer.byteLength(given.body)}\r\nconnection: close\r\n\r\n${given.body}`,
    )
    return
  }
  response.writeHead(given.status ?? 200, { ...common, ...given.headers })
  // merlon:allow a target that is vulnerable on purpose
  response.end(given.body)
}

/** The flaws of the service as a whole: they show on any operation. */
export const flaws: Flaw[] = [
  { id: 'trace', cwe: 749, operation: '*', shows: 'TRACE answers with the headers that were sent' },
  {
    id: 'no-content-policy',
    cwe: 693,
    operation: '*',
    shows: 'pages have no Content-Security-Policy',
    said: /content.security.policy|CSP/i,
  },
  { id: 'framing', cwe: 1021, operation: '*', shows: 'pages may be framed by other sites' },
  {
    id: 'sniffing',
    cwe: 693,
    operation: '*',
    shows: 'answers have no X-Content-Type-Options',
    said: /X-Content-Type-Options|nosniff/i,
  },
  { id: 'cached', cwe: 525, operation: '*', shows: 'answers to signed-in users may be kept by caches' },
  {
    id: 'no-permissions-policy',
    cwe: 693,
    operation: '*',
    shows: 'pages have no Permissions-Policy',
    said: /permissions.policy/i,
  },
  {
    id: 'no-isolation',
    cwe: 693,
    operation: '*',
    shows: 'pages are not isolated from other origins',
    said: /cross.origin|COOP|isolat/i,
  },
  {
    id: 'server-named',
    cwe: 497,
    operation: '*',
    shows: 'headers name the software and its version',
    said: /server|powered/i,
  },
  { id: 'any-origin', cwe: 942, operation: '*', shows: 'any origin is allowed, with credentials' },
  { id: 'errors-shown', cwe: 209, operation: '*', shows: 'a failure answers with a stack trace' },
]
