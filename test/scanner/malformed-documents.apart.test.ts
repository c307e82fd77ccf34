// What is no document shows a fault where it is told as it is, and nothing where it is refused with a sentence.

import { expect, test } from 'vitest'
import { findingsOf, type Handler } from './tiny.ts'

const TRACE =
  'SyntaxError: Unexpected end of JSON input\n    at JSON.parse (<anonymous>)\n    at parse (/srv/shop/body.js:92:19)'

/** What is no JSON never comes as an object. */
const taking =
  (refusal: string): Handler =>
  ({ body }) =>
    typeof body === 'string' ? [400, refusal, { 'content-type': 'text/plain' }] : [200, { state: 'fine' }]

const found = (handle: Handler) =>
  findingsOf(handle, ['malformed-document', 'error-trace'], { 'POST /orders': { body: { item: 'tea' } } })

test('JSON that ends too early is answered with a trace', async () => {
  const findings = await found(taking(TRACE))

  expect(findings.map(({ check, operation }) => [check, operation])).toEqual([['error-trace', 'POST /orders']])
})

test('JSON that ends too early is refused with a sentence', async () => {
  expect(await found(taking('This is no JSON.'))).toEqual([])
})
