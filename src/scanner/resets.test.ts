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
  const [operation] = readSchema(JSON.stringify({ openapi: '3.0.3', info: {}, paths }), null, target)
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
  newPassword: 'Merlon-scan-2026',
}

test('examples of a description that name accounts or codes are replaced by others of their kind', () => {
  const values = valuesOf(withNobody(described('POST /password/forgot', example)))

  for (const given of ['ann@shop.example', 'ann', 7, '+491701234567', '8f14e45f']) expect(values).not.toContain(given)
  expect(values[0]).toMatch(/^\w+@example\.com$/)
  expect(values[2]).toBeTypeOf('number')
  expect(values[3]).toMatch(/^\+1555010\d{4}$/)
  expect(values).toContain(true)
  expect(values).toContain('Merlon-scan-2026')
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
  const [path] = readSchema(har('POST', 'http://shop.example/password/forgot/ann@shop.example'), null, target)
  const [form] = readSchema(har('POST', 'http://shop.example/recover', 'login=ann&lang=en'), null, target)
  if (!path || !form) throw new Error('nothing was seen')

  expect(valuesOf(withNobody(path)).join()).not.toContain('ann')
  expect(valuesOf(withNobody(form))).toEqual([expect.not.stringMatching(/^ann$/), 'en'])
})
