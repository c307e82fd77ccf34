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
    '/flag': { hasPassword: true, passwordChangedAt: '2026-01-01' },
  }

  const found = await findingsOf(({ path }) => [200, answers[path]], ['excessive-data'], {
    'GET /stars': {},
    'GET /sentence': {},
    'GET /empty': {},
    'GET /schema': {},
    'GET /flag': {},
  })

  expect(found).toEqual([])
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

test('an answer to somebody who is signed in that caches may keep is found, one that says no-store is not', async () => {
  const kept = await findingsOf(() => [200, { name: 'a' }], ['cached-answer'], { 'GET /me': {} })
  const unkept = await findingsOf(() => [200, { name: 'a' }, { 'cache-control': 'no-store' }], ['cached-answer'], {
    'GET /me': {},
  })

  expect(kept.map(({ cwes }) => cwes)).toEqual([[525]])
  expect(unkept).toEqual([])
})
