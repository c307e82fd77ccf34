// Passwords are changed only when a scan is asked to: what would change one is known however the operation was described.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { readSchema } from '../../src/scanner/seed/index.ts'
import type { Json } from '../../src/scanner/types.ts'
import { describe, serving } from './tiny.ts'

const changing = (text: string) =>
  (readSchema(text, null, new URL('http://shop.example/')) ?? [])
    .filter(({ isDestructive }) => isDestructive)
    .map(({ key }) => key)

type Asked = [method: string, path: string, body?: Json]

const changes: Asked[] = [
  ['PUT', '/password', { value: 'x' }],
  ['PUT', '/users/7/password', { value: 'x' }],
  ['PATCH', '/me', { password: 'x' }],
  ['PATCH', '/auth/me', { password: 'x' }],
  ['PUT', '/profile', { user: { name: 'ann', credentials: [{ passwordConfirmation: 'x' }] } }],
  ['POST', '/account', { current_password: 'x', password: 'y' }],
  ['POST', '/profile.jsp', { password1: 'x', password2: 'x', submit: 'Save' }],
  ['POST', '/account/secret', { password: 'x', password_again: 'x' }],
  ['POST', '/chpasswd', { value: 'x' }],
]
const others: Asked[] = [
  ['POST', '/users', { name: 'ann', password: 'x' }],
  ['POST', '/people', { username: 'ann', password: 'x', password_again: 'x' }],
  ['POST', '/register', { name: 'ann', password: 'x' }],
  ['POST', '/people', { name: 'ann', password1: 'x', password2: 'x' }],
  ['POST', '/login', { name: 'ann', password: 'x' }],
  ['POST', '/login/password', { name: 'ann', password: 'x' }],
  ['PUT', '/sessions', { name: 'ann', password: 'x' }],
  ['PATCH', '/bio', { name: 'ann', passwordChangedAt: 'x' }],
]

const openApi = (asked: readonly Asked[]) => {
  const operations = asked.map(([method, path, body]) => [
    path,
    { [method.toLowerCase()]: { requestBody: { content: { 'application/json': { example: body } } } } },
  ])
  return JSON.stringify({ openapi: '3.0.3', info: {}, paths: Object.fromEntries(operations) })
}

const har = (asked: readonly Asked[]) =>
  JSON.stringify({
    log: {
      entries: asked.map(([method, path, body]) => ({
        request: {
          method,
          url: `http://shop.example${path}`,
          postData: { mimeType: 'application/json', text: JSON.stringify(body) },
        },
      })),
    },
  })

const postman = (asked: readonly Asked[]) =>
  JSON.stringify({
    info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: asked.map(([method, path, body]) => ({
      request: { method, url: `http://shop.example${path}`, body: { mode: 'raw', raw: JSON.stringify(body) } },
    })),
  })

test.each([
  ['OpenAPI without names of operations', openApi],
  ['HAR', har],
  ['Postman', postman],
])('%s tells what changes a password from what makes an account or signs in', (_, described) => {
  expect(changing(described(changes))).toHaveLength(changes.length)
  expect(changing(described(others))).toEqual([])
})

test('a password that an update may leave out is left out, with the name that goes with it', () => {
  const account = (required: string[]) => ({
    type: 'object',
    required,
    properties: { email: { type: 'string' }, password: { type: 'string' }, bio: { type: 'string' } },
  })
  const described = (required: string[]) => {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Update' } } }
    return JSON.stringify({
      openapi: '3.0.3',
      components: { schemas: { Update: account(required), Create: account(['password']) } },
      paths: { '/me': { patch: { requestBody: { content } } } },
    })
  }

  const [free] = readSchema(described([]), null, new URL('http://shop.example/')) ?? []
  const [bound] = readSchema(described(['password']), null, new URL('http://shop.example/')) ?? []

  expect([free?.isDestructive, bound?.isDestructive]).toEqual([false, true])
  expect(free?.body).toMatchObject({ value: { bio: 'merlon' } })
  expect(Object.keys(Object(free?.body).value)).toEqual(['bio'])
})

test('a mutation with a password changes it, unless it makes an account or signs in', () => {
  const names = changing(`
    type Query { user(password: String): Int }
    type Mutation {
      updateUser(password: String): Int  profile(input: Input): Int  userPasswordSet(value: String, password: String): Int
      createUser(password: String): Int  signUp(input: Input): Int  login(password: String): Int  tokenCreate(password: String): Int
      rename(name: String): Int
    }
    input Input { name: String, password: String }
  `)

  expect(names).toEqual(['updateUser', 'profile', 'userPasswordSet'].map((name) => `POST /#Mutation.${name}`))
})

test('a password that is written out in a mutation that was seen is known too', () => {
  const seen = (query: string): Asked => ['POST', '/graphql', { query }]

  const names = changing(
    har([
      seen('mutation { updateUser(input: {password: "x"}) { id } }'),
      seen('mutation { login(name: "ann", password: "x") { hasPassword has_password } }'),
      seen('query { me { has_password } }'),
    ]),
  )

  expect(names).toEqual(['POST /graphql#Mutation.updateUser'])
})

test('a scan sends what changes a password only when it is asked to', async () => {
  const changed = async (allowDestructive: boolean) => {
    let count = 0
    await serving(
      ({ method }) => {
        if (method === 'PATCH') count += 1
        return [200, { name: 'ann' }]
      },
      (target) =>
        scan({
          target,
          schema: {
            name: 'openapi.json',
            text: describe({ 'GET /me': {}, 'PATCH /me': { body: { name: 'ann', password: 'x' } } }),
          },
          profile: 'BALANCED',
          identities: [],
          checks: ['sql-injection-error'],
          allowDestructive,
          crawl: false,
          browser: false,
          allowed: readAllowed('127.0.0.0/8') ?? undefined,
        }),
    )
    return count
  }

  expect(await changed(false)).toBe(0)
  expect(await changed(true)).toBeGreaterThan(0)
})
