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
