// What a refusal says it would take is sent, so that what stands behind the refusal is looked at.

import { expect, test } from 'vitest'
import { wordsNamed } from '../../src/scanner/named-words.ts'
import { findingsOf, type Handler, places } from './tiny.ts'

test.each([
  ['{"message":"status must be one of the following values: open, closed"}', ['open', 'closed']],
  [`{"detail":[{"loc":["body","kind"],"msg":"Input should be 'fast' or 'slow'"}]}`, ['fast', 'slow']],
  ['{"errors":[{"whitelist":{"commands":["uptime"]}}]}', ['uptime']],
  ['"kind" must be one of [small, large]', ['small', 'large']],
  ['{"error":"Something went wrong"}', []],
  ['{"error":"action must be one of [delete, archive]"}', ['archive']],
  ['{"error":"role must be one of [owner, admin]"}', []],
])('the refusal %s offers %o', (text, words) => {
  expect(wordsNamed(text)).toEqual(words)
})

test('a flaw behind a value that only the refusal names is found', async () => {
  const service =
    (isOffering: boolean): Handler =>
    ({ body }) => {
      const { command } = Object(body)
      if (!String(command).startsWith('uptime')) return [400, isOffering ? { allowed: ['uptime'] } : { error: 'no' }]
      const [left, right] = /^uptime;expr (\d+) \+ (\d+)$/.exec(String(command))?.slice(1) ?? []
      return [200, { output: left && right ? String(Number(left) + Number(right)) : 'up 5 days' }]
    }
  const found = async (isOffering: boolean) =>
    places(await findingsOf(service(isOffering), ['command-injection'], {}, { schema: { name: 'o.json', text } }))
  const schema = { type: 'object', properties: { command: { type: 'string' } } }
  const text = JSON.stringify({
    openapi: '3.0.3',
    paths: { '/run': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
  })

  expect(await found(true)).toEqual(['POST /run'])
  expect(await found(false)).toEqual([])
})
