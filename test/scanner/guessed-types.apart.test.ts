// What runs though it is not sent as such: a page whose type the server guesses, and code that ends a text in double quotes.

import { expect, test } from 'vitest'
import { type Described, findingsOf, type Handler } from './tiny.ts'

const reading: Described = { 'GET /items': { query: { name: 'tea' } } }

test('an answer that the server makes a page where it begins as one is found, and none that is escaped', async () => {
  const service =
    (escapes: boolean): Handler =>
    ({ query }) => {
      const name = query.get('name') ?? ''
      const text = escapes ? name.replaceAll('<', '&lt;') : name
      return [200, text, { 'content-type': /^<(p|script|html)[ >]/i.test(text) ? 'text/html' : 'text/plain' }]
    }

  expect(await findingsOf(service(false), ['cross-site-scripting'], reading)).toHaveLength(1)
  expect(await findingsOf(service(true), ['cross-site-scripting'], reading)).toEqual([])
})

test('a text in double quotes that is run as Python is found', async () => {
  const service: Handler = ({ query }) => {
    const run = /^(\w*)"\+str\((\d+)\*(\d+)\)\+"(\w*)$/.exec(query.get('name') ?? '')
    return [200, { text: run ? `${run[1]}${Number(run[2]) * Number(run[3])}${run[4]}` : '' }]
  }

  expect(await findingsOf(service, ['code-injection'], reading)).toHaveLength(1)
})
