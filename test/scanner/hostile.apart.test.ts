// Targets that die, hang, refuse, flood, answer rubbish or send elsewhere: a scan of them ends with a name, within its budget, with what it found.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { defaultBudget } from '../../src/scanner/budget.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { ScanOptions } from '../../src/scanner/options.ts'
import { openPace } from '../../src/scanner/pace.ts'
import { flood } from './flood.ts'
import { describe } from './tiny.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Listens on a free port of the loopback address until the test ends. */
async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  closers.push(stop)
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, stop }
}

const text = describe({
  'GET /items': { query: { name: 'tea' } },
  'GET /items/{id}': { path: { id: '7' } },
  'GET /other': { query: { q: 'x' } },
})

/** A scan whose budget is small: three seconds, a request of half a second, forty kilobytes of an answer. */
const scanned = (target: string, more: Partial<ScanOptions> = {}) =>
  scan({
    target,
    schema: { name: 'openapi.json', text },
    profile: 'BALANCED',
    identities: [],
    crawl: false,
    browser: false,
    budget: { time: 3_000, timeout: 500, largest: 40_000 },
    allowed: readAllowed('127.0.0.0/8') ?? undefined,
    ...more,
  })

const fine = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"name":"tea","password":"Tulip-4-field"}')
}

test('a target that cannot be reached is reported as such', async () => {
  const { url, stop } = await listen(() => {})
  stop()

  const outcome = await scanned(url, { budget: { time: 30_000, timeout: 500 } })

  expect(outcome.state).toBe('TARGET_UNREACHABLE')
  expect(outcome.findings).toEqual([])
})

test('a target that dies on the way leaves what was found before', async () => {
  let left = 40
  const { url, stop } = await listen((_, response) => {
    left -= 1
    if (left > 0) return fine(response)
    response.destroy()
    stop()
  })

  const outcome = await scanned(url)

  expect(['TARGET_LOST', 'TIME_SPENT']).toContain(outcome.state)
  expect(outcome.findings.map(({ check }) => check)).toContain('excessive-data')
})

test('a target that accepts and never answers ends on budget', async () => {
  const { url } = await listen(() => {})

  const outcome = await scanned(url)

  expect(['TARGET_UNREACHABLE', 'TARGET_LOST', 'TIME_SPENT']).toContain(outcome.state)
  expect(outcome.findings).toEqual([])
})

test('a target that hangs on one operation is scanned in the others', async () => {
  const { url } = await listen((request, response) => {
    if (!request.url?.startsWith('/other')) fine(response)
  })

  const outcome = await scanned(url, {
    budget: { time: 60_000, timeout: 300 },
    checks: ['excessive-data', 'sql-injection-error'],
  })

  expect(outcome.state).toBe('COMPLETED')
  expect(outcome.findings.map(({ check }) => check)).toContain('excessive-data')
  expect(outcome.skipped.map(({ operation }) => operation)).toContain('GET /other')
})

test('what another operation silenced the target for is asked again when it answers', async () => {
  let silentUntil = 0
  let quotes = 0
  const { url } = await listen((request, response) => {
    const asked = request.url ?? ''
    if (asked.startsWith('/other') && silentUntil === 0) silentUntil = Date.now() + 2_000
    if (Date.now() < silentUntil || asked.startsWith('/other')) return
    const isQuoted = asked.startsWith('/items?') && asked.includes('%27')
    if (isQuoted) quotes += 1
    if (!isQuoted) return fine(response)
    response.writeHead(500)
    response.end('SQLITE_ERROR: near "\'": syntax error')
  })

  const outcome = await scanned(url, { budget: { time: 60_000, timeout: 300 }, checks: ['sql-injection-error'] })

  expect(outcome.state).toBe('COMPLETED')
  expect(quotes).toBeGreaterThan(0)
  expect(outcome.findings.map(({ check, operation }) => [check, operation])).toContainEqual([
    'sql-injection-error',
    'GET /items',
  ])
})

test('a target that refuses everything with 429 ends throttled or on budget, asked little', async () => {
  const { url } = await listen((_, response) => {
    response.writeHead(429, { 'retry-after': '1' })
    response.end()
  })

  const outcome = await scanned(url)

  expect(['TARGET_THROTTLES', 'TIME_SPENT']).toContain(outcome.state)
  expect(outcome.requests).toBeLessThan(60)
})

test('one operation that limits how often it is asked does not end or slow the scan', async () => {
  const { url } = await listen((request, response) => {
    if (!request.url?.startsWith('/other')) return fine(response)
    response.writeHead(429)
    response.end()
  })

  const outcome = await scanned(url, { budget: { time: 60_000 }, checks: ['excessive-data', 'sql-injection-error'] })

  expect(outcome.state).toBe('COMPLETED')
})

test('answers of a gibibyte are read to the bound, in bounded memory', async () => {
  const { url } = await listen(flood('a'))
  const before = process.memoryUsage().rss

  const outcome = await scanned(url, { checks: ['content-type-options-missing', 'excessive-data'] })
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024

  expect(['COMPLETED', 'TIME_SPENT']).toContain(outcome.state)
  expect(grown).toBeLessThan(300)
})

test.each<[string, (socket: Socket) => void]>([
  ['rubbish', (socket) => socket.end('\u0000\u0001\u0002 this is not HTTP at all\r\n\r\n')],
  ['a header without an end', (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`)],
  ['a length that is never met', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nshort')],
  [
    'two answers to one question',
    (socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
  ],
  [
    'a body that lies about its packing',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nabcde'),
  ],
])('a target that answers %s ends with a name', async (_, write) => {
  const server = createSocketServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => write(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  const address = server.address()

  const outcome = await scanned(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)

  expect(outcome.state).not.toBe('FAILED')
})

test('a ring of redirects ends, and nothing is asked for ever', async () => {
  const { url } = await listen((request, response) => {
    response.writeHead(302, { location: request.url === '/one' ? '/two' : '/one' })
    response.end()
  })

  const outcome = await scanned(url, { schema: null, crawl: true })

  expect(['COMPLETED', 'NOTHING_TO_SCAN', 'TIME_SPENT']).toContain(outcome.state)
})

test('a redirect to the address of cloud metadata, and links to it, are not followed', async () => {
  const asked: string[] = []
  const { url } = await listen((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/') {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<a href="/out">out</a> <a href="http://169.254.169.254/latest/meta-data/">in</a>')
    } else {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' })
      response.end()
    }
  })

  const outcome = await scanned(url, { schema: null, crawl: true })

  expect(['COMPLETED', 'TIME_SPENT']).toContain(outcome.state)
  expect(asked.length).toBeGreaterThan(1)
  expect(outcome.operations.join()).not.toContain('169.254')
})

test('a target that is the address of cloud metadata itself is refused', async () => {
  const outcome = await scanned('http://169.254.169.254/', { schema: null, crawl: true })

  expect(outcome.state).toBe('TARGET_REFUSED')
})

test('a scan that is canceled ends as such, with what was found', async () => {
  const { url } = await listen((_, response) => fine(response))
  const controller = new AbortController()

  const outcome = await scanned(url, {
    signal: controller.signal,
    events: { onFinding: () => controller.abort() },
  })

  expect(outcome.state).toBe('CANCELED')
  expect(outcome.findings.length).toBeGreaterThan(0)
})

test('a budget of requests is kept to where several wait for their turn', async () => {
  const pace = openPace({ ...defaultBudget, requests: 5, rate: 50 })
  let sent = 0

  await Promise.allSettled(
    Array.from({ length: 12 }, () =>
      pace.run(async () => {
        sent += 1
        await new Promise((resolve) => setTimeout(resolve, 100))
      }),
    ),
  )
  pace.close()

  expect(sent).toBeLessThanOrEqual(5)
  expect(pace.requests()).toBe(sent)
})

test('a budget of requests is kept to', async () => {
  const { url } = await listen((_, response) => fine(response))

  const outcome = await scanned(url, { budget: { requests: 30 } })

  expect(outcome.state).toBe('REQUESTS_SPENT')
  expect(outcome.requests).toBeLessThanOrEqual(30)
})
