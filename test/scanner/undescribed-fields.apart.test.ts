// Bodies that a description leaves out: their fields are looked for by usual names, or taken from what is changed.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places } from './tiny.ts'

const broken = (value: unknown) =>
  /['"(]/.test(String(value)) ? { error: 'SQLITE_ERROR: near "\'": syntax error' } : null

const scanned = (handle: Handler, key: string, more = {}) =>
  findingsOf(
    handle,
    ['sql-injection-error', 'unrestricted-upload'],
    { [key]: { path: key.includes('{') ? { id: '7' } : {} }, 'GET /things/{id}': { path: { id: '7' } } },
    more,
  )

test('a field that an answer shows, and one that it only follows, are found with what is wrong in them', async () => {
  const service =
    (isShown: boolean): Handler =>
    ({ path, body }) => {
      if (path !== '/things/7/state') return [200, { id: 7 }]
      const { status } = Object(body)
      if (status === undefined) return [400, { error: 'something is missing' }]
      return [200, broken(status) ?? { state: isShown ? status : 'set as it was asked for' }]
    }

  for (const isShown of [true, false]) {
    const found = await scanned(service(isShown), 'POST /things/{id}/state')

    expect(found.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([
      ['POST /things/{id}/state#body', 'status'],
    ])
  }
})

test('an update is sent with what the thing has now, and without names, passwords and rights', async () => {
  const thing = {
    id: 7,
    title: 'a vase',
    price: 12,
    username: 'ann',
    passwordHash: 'x1',
    role: 'user',
    owner: { id: 1 },
  }
  const sent: unknown[] = []
  const service: Handler = ({ method, body }) => {
    if (method === 'PUT') sent.push(body)
    return [200, (method === 'PUT' ? broken(Object(body).title) : null) ?? { data: thing }]
  }

  const found = await scanned(service, 'PUT /things/{id}')

  expect(found.map(({ operation, parameter }) => [operation, parameter?.name])).toEqual([
    ['PUT /things/{id}#body', 'title'],
  ])
  expect(sent).toContainEqual({ title: 'a vase', price: 12 })
  expect(JSON.stringify(sent)).not.toMatch(/ann|x1|role|"id"/)
})

test('a file is offered under usual names where the path says that one is taken', async () => {
  const files = new Map<string, string>()
  const service: Handler = ({ method, path, body }) => {
    const [, name = '', text = ''] =
      /name="photo"; filename="([^"]*)"\r\nContent-Type: [^\r\n]*\r\n\r\n([\s\S]*?)\r\n--/.exec(String(body)) ?? []
    if (method === 'POST' && name === '') return [400, { error: 'no file' }]
    if (method === 'POST') files.set(`/files/${name}`, text)
    if (method === 'POST') return [201, { url: `/files/${name}` }]
    return files.has(path) ? [200, files.get(path) ?? '', { 'content-type': 'text/html' }] : [404, {}]
  }

  const found = await scanned(service, 'POST /photos/upload', { profile: 'DEEP' })

  expect(places(found)).toEqual(['POST /photos/upload#body'])
})

test.each<[string, Handler]>([
  ['takes nothing', () => [200, { done: true }]],
  ['shows whatever it is sent', ({ body }) => [200, { received: body }]],
  ['answers otherwise each time', () => [200, { tip: `tip-${Math.random()} for ${Math.random()}` }]],
  ['is not for who asks', () => [403, { error: 'no' }]],
])('what %s is asked a few times, and has no fields', async (_, handle) => {
  let asked = 0
  const counting: Handler = (request) => {
    if (request.path === '/things/7/archive' && typeof request.body === 'object') asked += 1
    return request.path === '/things/7/archive' ? handle(request) : [200, { id: 7 }]
  }

  expect(await scanned(counting, 'POST /things/{id}/archive')).toEqual([])
  expect(asked).toBeLessThan(5)
})

test('a harmless scan does not look for them', async () => {
  const methods = new Set<string>()
  const service: Handler = ({ method }) => {
    methods.add(method)
    return [200, {}]
  }

  await scanned(service, 'POST /things/{id}/state', { profile: 'BASIC' })

  expect([...methods]).toEqual(['GET'])
})
