// What is for people who forgot their password is asked with names and codes that nobody has.

import { expect, test } from 'vitest'
import { pointsOf } from './points.ts'
import { withNobody } from './resets.ts'
import { readSchema } from './seed/index.ts'
import type { Operation } from './types.ts'

const target = new URL('http://shop.example/')
const described = (key: string, example: unknown, operationId = ''): Operation => {
  const [method = '', path = ''] = key.split(' ')
  const requestBody = { content: { 'application/json': { example } } }
  const paths = { [path]: { [method.toLowerCase()]: { operationId, requestBody } } }
  const [operation] = readSchema(JSON.stringify({ openapi: '3.0.3', info: {}, paths }), null, target) ?? []
  if (!operation) throw new Error('nothing was described')
  return operation
}
const valuesOf = (operation: Operation) => pointsOf(operation).map(({ value }) => value)

const example = {
  email: 'ann@shop.example',
  username: 'ann',
  userId: 7,
  contact: { mobile: '+491701234567' },
  resetToken: '8f14e45f',
  remember: true,
  newPassword: 'Another-word-12',
}

test('examples of a description that name accounts or codes are replaced by others of their kind', () => {
  const values = valuesOf(withNobody(described('POST /password/forgot', example)))

  for (const given of ['ann@shop.example', 'ann', 7, '+491701234567', '8f14e45f']) expect(values).not.toContain(given)
  expect(values[0]).toMatch(/^\w+@example\.com$/)
  expect(values[2]).toBeTypeOf('number')
  expect(values[3]).toMatch(/^\+1555010\d{4}$/)
  expect(values).toContain(true)
  expect(values).toContain('Another-word-12')
})

test('an operation is known by what its description calls it, where its address says nothing', () => {
  const operation = withNobody(described('POST /accounts/actions', { email: 'ann@shop.example' }, 'forgotPassword'))

  expect(valuesOf(operation)).not.toContain('ann@shop.example')
})

test('what asks for no new password keeps the examples that it has', () => {
  const operation = described('POST /login', example)

  expect(withNobody(operation)).toBe(operation)
})

test('an address in a path or a form that was seen is replaced too', () => {
  const har = (method: string, url: string, text?: string) =>
    JSON.stringify({
      log: {
        entries: [
          {
            request: {
              method,
              url,
              ...(text ? { postData: { mimeType: 'application/x-www-form-urlencoded', text } } : {}),
            },
          },
        ],
      },
    })
  const [path] = readSchema(har('POST', 'http://shop.example/password/forgot/ann@shop.example'), null, target) ?? []
  const [form] = readSchema(har('POST', 'http://shop.example/recover', 'login=ann&lang=en'), null, target) ?? []
  if (!path || !form) throw new Error('nothing was seen')

  expect(valuesOf(withNobody(path)).join()).not.toContain('ann')
  expect(valuesOf(withNobody(form))).toEqual([expect.not.stringMatching(/^ann$/), 'en'])
})

test('all of a body is replaced: each element of a list, what is said twice, a body of one text, and numbers of telephones', () => {
  const body = (example: unknown) => withNobody(described('POST /password/forgot', example)).body
  const many = Array.from({ length: 5 }, (_, at) => ({ users: [`ann${at}`, `bob${at}`], deep: { login: `eve${at}` } }))

  expect(JSON.stringify(body({ emails: ['a@shop.example', 'b@shop.example', 'c@shop.example'], many }))).not.toMatch(
    /shop|ann|bob|eve/,
  )
  expect(JSON.stringify(body('ann@shop.example'))).not.toContain('ann')
  const twice = JSON.stringify(body({ email: 'ann@shop.example', confirmEmail: 'ann@shop.example' }))
  expect(new Set(twice.match(/\w+@example\.com/g)).size).toBe(1)
  const phones = { phone: '491701234567', mobile: 491701234567 }
  expect(JSON.stringify(body(phones))).toMatch(/"phone":"1555010\d{4}","mobile":1555010\d{4}/)
})

test('a body of text and elements of XML that repeat are replaced too', () => {
  const har = (mimeType: string, text: string) =>
    JSON.stringify({
      log: {
        entries: [{ request: { method: 'POST', url: 'http://shop.example/forgot', postData: { mimeType, text } } }],
      },
    })
  const bodies = [
    har('text/plain', 'ann'),
    har('text/yaml', 'to: ann@shop.example'),
    har('application/xml', '<?xml version="1.0"?><ask><user>ann</user><user>anna</user></ask>'),
  ].map((text) => readSchema(text, null, target)?.[0])

  expect(bodies).toHaveLength(3)
  for (const operation of bodies) expect(JSON.stringify(operation && withNobody(operation).body)).not.toContain('ann')
})

test('what a path has beside accounts stays, and so does a key of the program that asks', () => {
  const paths = {
    '/{version}/password/forgot': {
      post: {
        parameters: ['version', 'apiKey'].map((name) => ({
          name,
          in: name === 'version' ? 'path' : 'query',
          example: 'v7',
        })),
      },
    },
  }
  const [operation] = readSchema(JSON.stringify({ openapi: '3.0.3', info: {}, paths }), null, target) ?? []

  expect(operation && withNobody(operation).parameters.map(({ value }) => value)).toEqual(['v7', 'v7'])
})

test('where nothing says whose password it is, nobody asks', () => {
  expect(withNobody(described('POST /me/forgot-password', { lang: 'en' })).isSignIn).toBe(true)
  expect(withNobody(described('POST /password/forgot', { email: 'a@shop.example' })).isSignIn).toBeUndefined()
})

test('fields that stay as they are while others are changed name nobody either', () => {
  const operation = described('POST /password/forgot', { email: 'ann@shop.example', lang: 'en' })

  expect(JSON.stringify(withNobody({ ...operation, fixed: ['email'] }).body)).not.toContain('ann')
})
