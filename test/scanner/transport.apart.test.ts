// Requests go out as they are written, and only to where they may.

import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { nothingAllowed, readAllowed } from '../../src/core/outbound-address.ts'
import { openTransport, readPlace } from '../../src/scanner/http.ts'
import { pointsOf, requestOf } from '../../src/scanner/points.ts'
import { isInScope, isNamedInScope } from '../../src/scanner/scope.ts'
import type { HttpRequest, Operation } from '../../src/scanner/types.ts'

/** What arrived, byte for byte, at a server that answers the same to everybody. */
async function arriving(
  request: (port: number) => HttpRequest,
  answer: string,
): Promise<{ sent: string; status: number; body: string }> {
  let sent = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      sent += chunk.toString('latin1')
      socket.end(answer)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const transport = openTransport({ allowed: readAllowed('127.0.0.1') ?? nothingAllowed, connections: 1 })
  try {
    const { status, body } = await transport.send(request(port), { timeout: 5_000, largest: 1_000 })
    return { sent, status, body: body.toString() }
  } finally {
    transport.close()
    await new Promise((closed) => server.close(closed))
  }
}

const plain = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

test('odd paths and repeated headers survive, and what would end the line is escaped', async () => {
  const { sent } = await arriving(
    (port) => ({
      method: 'GET',
      url: `http://127.0.0.1:${port}/a/../b//%2e%2e/c d\r\n?x=é%0d`,
      headers: [
        ['Host', 'x'],
        ['X-A', '1'],
        ['X-A', '2'],
      ],
      body: null,
    }),
    plain,
  )

  expect(sent.split('\r\n').slice(0, 4)).toEqual([
    'GET /a/../b//%2e%2e/c%20d%0D%0A?x=%C3%A9%0d HTTP/1.1',
    'Host: x',
    'X-A: 1',
    'X-A: 2',
  ])
})

test('an answer longer than the bound is cut there', async () => {
  const { body } = await arriving(
    (port) => ({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: [['Host', 'x']], body: null }),
    `HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(5_000)}`,
  )

  expect(body).toHaveLength(1_000)
})

test.each([
  ['a private network', 'http://10.0.0.1/'],
  ['this machine', 'http://127.0.0.1/'],
  ['this machine by name', 'http://localhost/'],
  ['what clouds answer machines', 'http://169.254.169.254/latest/meta-data'],
  ['this machine in IPv6', 'http://[::1]/'],
])('%s is not called unless it is allowed', async (_, url) => {
  const transport = openTransport({ allowed: nothingAllowed, connections: 1 })

  const sent = transport.send({ method: 'GET', url, headers: [], body: null }, { timeout: 5_000, largest: 10 })

  await expect(sent).rejects.toMatchObject({ reason: 'FORBIDDEN_ADDRESS' })
  transport.close()
})

test('the parts of an address are told without changing its path', () => {
  expect(readPlace('https://[::1]:8443/a/../b?c#d')).toEqual({
    protocol: 'https:',
    host: '::1',
    port: 8443,
    target: '/a/../b?c',
  })
  expect(readPlace('ftp://x/')).toBeNull()
  expect(readPlace('http://x:65536/')).toBeNull()
})

test('each place of a value takes a change in its own encoding', () => {
  const operation: Operation = {
    key: 'POST /a/{id}',
    method: 'POST',
    origin: 'http://x',
    path: '/a/{id}',
    parameters: [
      { place: 'path', name: 'id', value: '1', required: true },
      { place: 'query', name: 'q', value: '2', required: false },
    ],
    body: { type: 'json', mediaType: 'application/json', value: { 'a.b': [{ c: 1 }, 2] } },
    kind: 'create',
    isDestructive: false,
    requiresAuth: null,
    source: 'openapi',
    answers: {},
  }
  const points = pointsOf(operation)

  const requests = points.map((point) => requestOf(operation, [{ point, value: `' &"` }]))

  expect(points.map(({ place, name }) => `${place} ${name}`)).toEqual([
    'path id',
    'query q',
    'json a~1b.0.c',
    'json a~1b.1',
  ])
  expect(requests.map(({ url, body }) => `${url} ${body}`)).toEqual([
    'http://x/a/%27%20%26%22?q=2 {"a.b":[{"c":1},2]}',
    'http://x/a/1?q=%27%20%26%22 {"a.b":[{"c":1},2]}',
    'http://x/a/1?q=2 {"a.b":[{"c":"\' &\\""},2]}',
    'http://x/a/1?q=2 {"a.b":[{"c":1},"\' &\\""]}',
  ])
})

test('globs of a scope mean segments', () => {
  const scope = { origins: ['http://x'], include: ['/api/**', '/v*/users'], exclude: ['/api/admin'] }

  const inside = [
    '/api',
    '/api/a/b',
    '/v1/users',
    '/v1/users/2',
    '/other',
    '/api/admin',
    '/api/admin/x',
    '/apix',
  ].filter((path) => isInScope(`http://x${path}`, scope))

  expect(inside).toEqual(['/api', '/api/a/b', '/v1/users'])
  expect(isInScope('http://y/api', scope)).toBe(false)
})

test('operations that share a path are named behind it', () => {
  const named = (include: string[], exclude: string[]) =>
    ['POST /graphql#Query.users', 'POST /graphql#Mutation.deleteUser', 'GET /users'].filter((key) =>
      isNamedInScope(key, { origins: [], include, exclude }),
    )

  expect(named([], ['#Mutation.*'])).toEqual(['POST /graphql#Query.users', 'GET /users'])
  expect(named([], ['/graphql#Mutation.deleteUser'])).toEqual(['POST /graphql#Query.users', 'GET /users'])
  expect(named(['/graphql#Query.*', '/users'], [])).toEqual(['POST /graphql#Query.users', 'GET /users'])
  expect(isInScope('http://x/graphql', { origins: ['http://x'], include: [], exclude: ['#Mutation.*'] })).toBe(true)
  expect(isInScope('http://x/graphql', { origins: ['http://x'], include: ['/graphql#Query.*'], exclude: [] })).toBe(
    true,
  )
})

/** A transport, and a server on which each connection is answered as told: the answers to its requests, in order. */
async function conversing(
  answers: (connection: number) => readonly (string | null)[],
  work: (
    send: (method?: string) => Promise<{ status: number; body: string; isCut: boolean; headers: string }>,
  ) => Promise<void>,
): Promise<number> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    const left = [...answers(connections)]
    socket.on('error', () => {})
    socket.on('data', () => {
      const answer = left.shift()
      if (answer === undefined || answer === null) socket.destroy()
      // in small pieces, as networks have it
      else for (const piece of answer.match(/[\s\S]{1,7}/g) ?? []) socket.write(piece, 'latin1')
      if (left[0] === null) socket.end()
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const transport = openTransport({ allowed: readAllowed('127.0.0.1') ?? nothingAllowed, connections: 2 })
  const request = (method: string): HttpRequest => ({
    method,
    url: `http://127.0.0.1:${port}/`,
    headers: [['Host', 'x']],
    body: null,
  })
  try {
    await work(async (method = 'GET') => {
      const { status, body, isCut, headers } = await transport.send(request(method), { timeout: 5_000, largest: 1_000 })
      return { status, body: body.toString(), isCut, headers: headers.map((pair) => pair.join('=')).join(' ') }
    })
  } finally {
    transport.close()
    await new Promise((closed) => server.close(closed))
  }
  return connections
}

const ok = { status: 200, isCut: false }

test.each([
  ['by its length', 'GET', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', { ...ok, body: 'ok' }],
  [
    'in chunks with extensions and trailers',
    'GET',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nfirst\r\n7\r\n second\r\n0\r\nX-T: 1\r\n\r\n',
    { ...ok, body: 'first second' },
  ],
  [
    'behind a provisional one',
    'GET',
    'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 Gone\r\n\r\n',
    { ...ok, status: 204, body: '' },
  ],
  ['of HEAD, which has none', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n', { ...ok, body: '' }],
  [
    'with bare line feeds and a folded header',
    'GET',
    'HTTP/1.1 200\nX-A: 1\n  2\nContent-Length: 2\n\nok',
    { ...ok, body: 'ok', headers: 'x-a=1 2 content-length=2' },
  ],
])('a body is read %s, and the connection is kept for the next request', async (_, method, answer, expected) => {
  const connections = await conversing(
    () => [answer, plain],
    async (send) => {
      expect(await send(method)).toMatchObject(expected)
      expect(await send()).toMatchObject({ ...ok, body: 'ok' })
    },
  )

  expect(connections).toBe(1)
})

test.each([
  ['a body that lasts as long as the connection is whole', 'HTTP/1.1 200 OK\r\n\r\nall', { ...ok, body: 'all' }],
  [
    'a body that ends before its length is cut',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nall',
    { status: 200, isCut: true, body: 'all' },
  ],
  [
    'chunks that end before the last are cut',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nall\r\n',
    { status: 200, isCut: true, body: 'all' },
  ],
])('%s, and the next request has a connection of its own', async (_, answer, expected) => {
  const connections = await conversing(
    (connection) => (connection === 1 ? [answer, null] : [plain]),
    async (send) => {
      expect(await send()).toMatchObject(expected)
      expect(await send()).toMatchObject({ ...ok, body: 'ok' })
    },
  )

  expect(connections).toBe(2)
})

test('a request on a kept connection that ends without an answer is sent once more, and no more on a new one', async () => {
  const connections = await conversing(
    (connection) => (connection < 3 ? [plain] : []),
    async (send) => {
      await send()
      expect(await send()).toMatchObject({ ...ok, body: 'ok' })
      await expect(send()).rejects.toMatchObject({ reason: 'CUT' })
    },
  )

  expect(connections).toBe(3)
})

test.each([
  ['no status line', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ['a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nok\r\n'],
  ['headers without an end', `HTTP/1.1 200 OK\r\n${'X-A: 1\r\n'.repeat(20_000)}`],
])('%s is no answer of HTTP', async (_, answer) => {
  await conversing(
    () => [answer],
    async (send) => {
      await expect(send()).rejects.toMatchObject({ reason: 'BAD_ANSWER' })
    },
  )
})

test('a header that would end early is not sent', async () => {
  const transport = openTransport({ allowed: readAllowed('127.0.0.1') ?? nothingAllowed, connections: 1 })

  const sent = transport.send(
    { method: 'GET', url: 'http://127.0.0.1:1/', headers: [['X-A', 'b\r\nX-C: d']], body: null },
    { timeout: 1_000, largest: 10 },
  )

  await expect(sent).rejects.toMatchObject({ reason: 'BAD_ANSWER' })
  transport.close()
})
