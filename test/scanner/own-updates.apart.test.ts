// Updates leave the account that asks as it is: its name, its address and what it may do.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import type { Identity } from '../../src/scanner/types.ts'
import { findingsOf, type Handler, serving } from './tiny.ts'

test('an example of a name or of a right gives way to what the account has', async () => {
  const account = { id: 7, email: 'ann@shop.example', username: 'ann', isAdmin: false, note: 'by hand' }
  const sent: unknown[] = []
  const service: Handler = ({ method, body }) => {
    if (method === 'PUT') sent.push(body)
    return [200, { success: true, data: account }]
  }

  await findingsOf(service, ['sql-injection-error'], {
    'GET /users/{id}': { path: { id: '7' } },
    'PUT /users/{id}': {
      path: { id: '7' },
      body: { email: 'user@example.com', username: 'newname', isAdmin: true, note: 'an example' },
    },
  })

  expect(sent[0]).toEqual({ email: 'ann@shop.example', username: 'ann', isAdmin: false, note: 'an example' })
})

test('a mutation about whoever asks is sent with the address that this one signs in with, and nothing else in its place', async () => {
  const sent: unknown[] = []
  const sdl =
    'type Query { me: String } type Mutation { editProfile(name: String, email: String, phone: String): String }'
  const service: Handler = ({ path, body }) => {
    if (path === '/login') return [200, { token: 'tulip-field-7100-harbour-mill' }]
    const { query, variables } = Object(body)
    if (/editProfile/.test(String(query))) sent.push(variables)
    return [200, { data: { me: 'ann', editProfile: 'done' } }]
  }

  const outcome = await serving(service, (url) => {
    const body = JSON.stringify({ query: 'mutation { login(email: "ann@shop.example", password: "Tulip-7") }' })
    const headers: [string, string][] = [
      ['Host', new URL(url).host],
      ['Content-Type', 'application/json'],
      ['Content-Length', String(Buffer.byteLength(body))],
    ]
    const login = { type: 'TOKEN' as const, request: { method: 'POST', url: `${url}/login`, headers, body } }
    const identity: Identity = { name: 'ann', headers: [], cookies: [], query: [], login }
    return scan({
      target: `${url}/graphql`,
      schema: { name: 'schema.graphql', text: sdl },
      profile: 'BALANCED',
      identities: [identity],
      checks: ['sql-injection-error'],
      crawl: false,
      browser: false,
      allowed: readAllowed('127.0.0.0/8') ?? undefined,
    })
  })

  expect([outcome.state, outcome.reason]).toEqual(['COMPLETED', null])
  const addresses = new Set(sent.map((variables) => Object(variables).email))
  expect(addresses).toEqual(new Set(['ann@shop.example']))
  expect(new Set(sent.map((variables) => Object(variables).phone)).size).toBeGreaterThan(1)
})
