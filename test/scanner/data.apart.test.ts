// Secrets and undescribed fields in answers: found where they are values, and not where they are words about them.

import { expect, test } from 'vitest'
import { findingsOf, type Handler, places, schemaOf } from './tiny.ts'

test('passwords and hashes in answers are found once for each operation and field', async () => {
  const service: Handler = ({ path }) =>
    path === '/users'
      ? [200, [1, 2, 3].map((id) => ({ id, name: `n${id}`, password: `Tulip-${id}-field` }))]
      : [200, { account: { hash: `$2b$10$${'a'.repeat(53)}` } }]

  const found = await findingsOf(service, ['excessive-data'], { 'GET /users': {}, 'GET /account': {} })

  expect(found.map(({ operation, cwes }) => [operation, cwes])).toEqual([
    ['GET /users', [200]],
    ['GET /account', [200]],
  ])
})

test('stars, sentences, empty fields and descriptions are no secrets', async () => {
  const answers: Record<string, unknown> = {
    '/stars': { password: '********' },
    '/sentence': { errors: { password: 'must have eight letters' } },
    '/empty': { password: null, passwordHash: '' },
    '/schema': { openapi: '3.0.0', properties: { password: 'string' } },
    '/environment': { PWD: '/srv/shop', HOME: '/root' },
    '/flag': { hasPassword: true, passwordChangedAt: '2026-01-01' },
  }

  const found = await findingsOf(({ path }) => [200, answers[path]], ['excessive-data'], {
    'GET /stars': {},
    'GET /sentence': {},
    'GET /empty': {},
    'GET /schema': {},
    'GET /environment': {},
    'GET /flag': {},
  })

  expect(found).toEqual([])
})

test('a password with a quote that is answered to who sent it is no secret', async () => {
  const service: Handler = ({ body }) => [200, body]
  const password = 'say "tulip" twice'.replaceAll(' ', '-')

  expect(await findingsOf(service, ['excessive-data'], { 'POST /check': { body: { password } } })).toEqual([])
})

test('a field beside the described ones is found, also within lists; what is described is not', async () => {
  const answer = schemaOf({ id: 1, name: 'teapot' })
  const service: Handler = ({ path }) => [
    200,
    path === '/plain' ? { id: 1, name: 'x' } : [{ id: 1, name: 'x', cost: 4 }],
  ]

  const found = await findingsOf(service, ['undescribed-data'], {
    'GET /plain': { answer },
    'GET /list': { answer: { type: 'array', items: answer } },
    'GET /open': {},
  })

  expect(places(found)).toEqual(['GET /list'])
  expect(found[0]?.detail).toContain('cost')
})

test('what a check added to a thing, which keeps whatever it is sent, is nothing that the answer tells', async () => {
  const answer = { type: 'object', properties: { colour: { type: 'string' } } }
  let kept: unknown = { colour: 'blue' }
  const service: Handler = ({ method, body }) => {
    if (method === 'PUT' && typeof body === 'object') kept = body
    return [200, kept]
  }

  const found = await findingsOf(
    service,
    ['undescribed-data', 'prototype-pollution'],
    { 'GET /liking': { answer }, 'PUT /liking': { body: { colour: 'red' }, answer } },
    { profile: 'DEEP' },
  )

  expect(found).toEqual([])
})

test('an answer to somebody who is signed in that caches may keep is found, one that says no-store is not', async () => {
  const kept = await findingsOf(() => [200, { name: 'a' }], ['cached-answer'], { 'GET /me': {} })
  const unkept = await findingsOf(() => [200, { name: 'a' }, { 'cache-control': 'no-store' }], ['cached-answer'], {
    'GET /me': {},
  })

  expect(kept.map(({ cwes }) => cwes)).toEqual([[525]])
  expect(unkept).toEqual([])
})

const stripe = (kind: string) => ['sk', kind, '51Hq8ZtLw2NxVbR7dKcYpQm4JfTg9UaEs'].join('_')

test.each([
  ['a key of a provider in JSON', [200, { settings: { pay: stripe('live') } }], 1],
  ['a key of a provider in a page', [200, `<script>const key = "${stripe('live')}"</script>`], 1],
  ['the address of a database', [200, { url: ['postgres', '//app:Tulip7field@db.inner/shop'].join(':') }], 1],
  ['a key for tests alone', [200, { settings: { pay: stripe('test') } }], 0],
  [
    'a key that pages are meant to have',
    [200, `<script src="/maps?key=${['AIzaSyD', '3kQ9xW7mZt2RvLpHn8JcYbTgUe5FsAo4'].join('')}"></script>`],
    0,
  ],
  ['a key as pages show how it looks', [200, { hint: 'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx' }], 0],
] as const)('%s in an answer is told so many times: %o, %i', async (_, [status, body], count) => {
  const found = await findingsOf(() => [status, body], ['secret-in-answer'], { 'GET /settings': {} })

  expect(found.map(({ cwes }) => cwes)).toEqual(Array.from({ length: count }, () => [200]))
})

test('hashes of passwords in pages and files are found; other long texts are not', async () => {
  const hash = `$2y$12$${'kT9./xQ2bA'.repeat(6).slice(0, 53)}`
  const answers: Record<string, string> = {
    '/export': `name;secret\nann;${hash}\n`,
    '/page': `<p>${'0123456789abcdef'.repeat(4)}</p>`,
    '/price': '<p>$2 and $5 or $6$</p>',
  }

  const found = await findingsOf(({ path }) => [200, answers[path] ?? ''], ['hash-in-answer'], {
    'GET /export': {},
    'GET /page': {},
    'GET /price': {},
  })

  expect(places(found)).toEqual(['GET /export'])
})

test('a message of the database in a fault is found once for each engine; a page that explains one is not', async () => {
  const message = 'ERROR:  syntax error at or near "limit"'

  const found = await findingsOf(
    ({ path }) => (path === '/help' ? [200, `<p>${message}</p>`] : [500, { message }]),
    ['database-error'],
    { 'GET /list': {}, 'GET /more': {}, 'GET /help': {} },
  )

  expect(found.map(({ cwes, others }) => [cwes, others])).toEqual([[[209], ['GET /more']]])
})
