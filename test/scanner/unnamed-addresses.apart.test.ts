// Addresses that neither pages nor a description name: what answers in JSON tell of, what interfaces usually have, what stands behind a list.

import { expect, test } from 'vitest'
import type { ScanOptions } from '../../src/scanner/options.ts'
import { type Described, describe, type Handler, reached } from './tiny.ts'

/** What is asked of a service that nothing describes, unless `operations` do. Where `named` is given, its start names that address. */
const asked = (
  handle: Handler,
  more: Partial<ScanOptions> = {},
  { named, operations }: { named?: string; operations?: Described } = {},
) =>
  reached((one) => (named && one.path === '/' ? [200, { here: named }] : handle(one)), {
    ...(operations ? { schema: { name: 'openapi.json', text: describe(operations) }, crawl: false } : {}),
    ...more,
  })

const places: Record<string, unknown> = {
  '/': {
    message: 'Shop',
    parts: { orders: '/interface/orders', next: '/interface/teas?page=2', gone: '/interface/gone' },
  },
  '/interface/orders': [],
  '/interface/teas': [],
  '/interface/orders/clear': {},
}
const byPlace: Handler = ({ path }) => (path in places ? [200, places[path]] : [404, { error: 'nothing' }])

test('addresses that an answer in JSON names are asked as links are, and none that destroys or where nothing is', async () => {
  const told = { ...(places['/'] as object), clear: '/interface/orders/clear', elsewhere: 'https://example.com/x' }

  const { operations, got } = await asked((one) => (one.path === '/' ? [200, told] : byPlace(one)), {
    profile: 'BASIC',
  })

  expect(operations).toEqual(expect.arrayContaining(['GET /interface/orders', 'GET /interface/teas?page']))
  expect(operations).not.toContain('GET /interface/gone')
  expect(got.map(({ path }) => path)).not.toContain('/interface/orders/clear')
})

test('what interfaces usually have is found beside what is known of one, in its folder and in other versions of it', async () => {
  const there = ['/api/v2/teas', '/api/v2/users', '/api/v1/teas']

  const { operations } = await asked(
    ({ path }) => (there.includes(path) ? [200, [{ name: path }]] : [404, { error: 'nothing' }]),
    {},
    { named: '/api/v2/teas' },
  )

  expect(operations).toEqual(expect.arrayContaining(['GET /api/v2/users', 'GET /api/v1/teas']))
  expect(operations).not.toContain('GET /api/v2/orders')
})

test('an interface of which nothing is known is looked for where one usually is', async () => {
  const { operations } = await asked(({ path }) => {
    if (path === '/') return [200, '<h1>Shop</h1>']
    return path === '/api/users' || path === '/api/orders' ? [200, [{ id: 1 }]] : [404, 'nothing']
  })

  expect(operations).toEqual(expect.arrayContaining(['GET /api/users', 'GET /api/orders']))
})

test('a service that answers every path alike has nothing that is only guessed', async () => {
  const { operations } = await asked(({ path }) => [200, { path, things: [] }])

  expect(operations.filter((key) => key.includes('api') || key.includes('users'))).toEqual([])
})

type Tea = { id: number; name: string; role: string; price: number }

function teaShop() {
  const teas: Tea[] = [{ id: 7, name: 'green', role: 'best', price: 3 }]
  const service: Handler = ({ method, path, body }) => {
    const one = teas.find(({ id }) => path === `/api/teas/${id}`)
    if (path === '/api/teas' && method === 'GET') return [200, { data: teas }]
    if (path === '/api/teas' && method === 'POST') return [201, { sent: body }]
    if (one && method === 'PUT') return [200, Object.assign(one, body)]
    return one && method === 'GET' ? [200, one] : [404, { error: 'nothing' }]
  }
  return { teas, service }
}

test('the things of a list are asked by their ids, another is added with what they have, and none is changed', async () => {
  const { service } = teaShop()

  const { operations, got } = await asked(service, {}, { named: '/api/teas' })

  expect(operations).toEqual(expect.arrayContaining(['GET /api/teas/{teaId}', 'POST /api/teas']))
  const adding = got.find(
    ({ method, path, body }) => method === 'POST' && path === '/api/teas' && Object.keys(Object(body)).length > 0,
  )
  expect(adding?.body).toEqual({
    name: 'green',
    price: 3,
  })
  expect(got.filter(({ method }) => method === 'PUT' || method === 'PATCH')).toEqual([])
})

test('a deep scan sends what changes a thing with what it has, so that it stays as it is', async () => {
  const { service, teas } = teaShop()

  const { operations } = await asked(service, { profile: 'DEEP' }, { named: '/api/teas' })

  expect(operations).toContain('PUT /api/teas/{teaId}')
  expect(teas).toEqual([{ id: 7, name: 'green', role: 'best', price: 3 }])
})

test('where the address names its methods, nothing is sent to see what it takes', async () => {
  const { got, operations } = await asked(
    ({ method, path }) => {
      if (path !== '/api/teas') return [404, { error: 'nothing' }]
      return method === 'OPTIONS' ? [200, '', { allow: 'GET, HEAD' }] : [200, [{ id: 7, name: 'green' }]]
    },
    {},
    { named: '/api/teas' },
  )

  expect(operations).not.toContain('POST /api/teas')
  expect(got.filter(({ method, path }) => method === 'POST' && path === '/api/teas')).toEqual([])
})

test('a scan that only reads guesses no address', async () => {
  const { got } = await asked(byPlace, { profile: 'BASIC' })

  expect(got.filter(({ path }) => /users|products/.test(path))).toEqual([])
})

test('beside a description no address is guessed, and nothing is added or changed that it does not name', async () => {
  const { service } = teaShop()

  const { got, operations } = await asked(service, { profile: 'DEEP' }, { operations: { 'GET /api/teas': {} } })

  expect(operations).toEqual(['GET /api/teas'])
  expect(got.filter(({ method, path }) => /users/.test(path) || method === 'POST' || method === 'PUT')).toEqual([])
})

test('commands for curl that a page shows are asked, with their headers, cookies and documents; those for other hosts are not', async () => {
  const page = (host: string) => `<pre>curl -X POST http://${host}/teas -H "X-Shop: east" \\
    -H 'Content-Type: application/json' -d '{"name":"green"}'
  curl http://${host}/cups -b "colour=red" | jq .
  curl https://example.com/away</pre>`

  const { operations, got } = await asked(({ path, headers }) => {
    if (path === '/') return [200, page(headers.host ?? '')]
    return path === '/teas' || path === '/cups' ? [200, 'ok'] : [404, '']
  })

  const tea = got.find(({ method, path }) => method === 'POST' && path === '/teas')
  expect(operations).toEqual(expect.arrayContaining(['POST /teas', 'GET /cups']))
  expect(tea?.body).toEqual({ name: 'green' })
  expect(tea?.headers['x-shop']).toBe('east')
  expect(got.find(({ path }) => path === '/cups')?.headers.cookie).toBe('colour=red')
})
