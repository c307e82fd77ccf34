// Tokens that a login answers in a header rather than in its body.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { describe, type Handler, serving } from './tiny.ts'

const scanOfItems = (url: string) => {
  const request = { method: 'POST', url: `${url}/token`, headers: [['Host', new URL(url).host]] as const, body: null }
  return scan({
    target: `${url}/`,
    schema: { name: 'openapi.json', text: describe({ 'GET /items': { query: { name: 'tea' } } }) },
    profile: 'BALANCED',
    identities: [{ name: 'ann', headers: [], cookies: [], query: [], login: { type: 'TOKEN', request } }],
    checks: ['sql-injection-error'],
    crawl: false,
    browser: false,
    allowed: readAllowed('127.0.0.0/8') ?? undefined,
  })
}

test.each([
  ['Authorization', 'tokenized-4711'],
  ['Authorization', 'Bearer tokenized-4711'],
  ['X-Auth-Token', 'tokenized-4711'],
])('a token that an answer has in its header %s as "%s" is sent back as it stands there', async (name, value) => {
  const header = name.toLowerCase()
  const received = new Set<string | undefined>()
  const handle: Handler = ({ path, headers }) => {
    if (path === '/token') return [200, { welcome: true }, { [header]: value }]
    if (path === '/items') received.add(headers[header])
    return headers[header] === value ? [200, { name: 'tea' }] : [401, {}]
  }

  const outcome = await serving(handle, (url) => scanOfItems(url))

  expect(outcome.state).toBe('COMPLETED')
  // nobody is asked for too, to know what only somebody who is signed in gets
  expect([...received].sort()).toEqual([value, undefined])
})
