// No password is replaced by a scan that was not asked to: nobody that there could be is named to what asks for a new one.

import { expect, test } from 'vitest'
import { readAllowed } from '../../src/core/outbound-address.ts'
import { scan } from '../../src/scanner/engine.ts'
import { type Asked, type Described, describe, findingsOf, type Handler, people, places, serving } from './tiny.ts'

const accounts = [
  { id: 71, email: 'ann@shop.example', username: 'user-a', role: 'user' },
  { id: 72, email: 'bob@shop.example', username: 'user-b', role: 'user' },
]

const description = describe({
  'GET /me': {},
  'GET /accounts/{id}': { path: { id: '71' } },
  'POST /password/forgot': { body: { email: 'ann@shop.example', lang: 'en' } },
  'PUT /accounts/{id}/request-reset': { path: { id: '71' }, body: { note: 'please', role: 'user' } },
  'GET /reset-password/{token}': { path: { token: 'c0ffee-of-ann' } },
  'POST /reset-password/{token}': { path: { token: 'c0ffee-of-ann' }, body: { value: 'x' } },
})

/** Everything that is asked of it; a statement made of the token breaks at a quote. */
function shopOf(asked: Asked[]): Handler {
  return (one) => {
    asked.push(one)
    if (one.path.startsWith('/reset-password/') && one.method === 'GET')
      return one.path.includes('%27') || one.path.includes("'")
        ? [500, { error: 'You have an error in your SQL syntax; check the manual near token' }]
        : [404, { error: 'no such token' }]
    if (one.path === '/password/forgot') return [200, { sent: true }]
    if (one.user === null) return [401, {}]
    const own = accounts[one.user === 'a' ? 0 : 1]
    if (one.path === '/me') return [200, own]
    const account = accounts.find(({ id }) => one.path.startsWith(`/accounts/${id}`))
    return account ? [200, one.method === 'PUT' ? { done: true } : account] : [404, {}]
  }
}

const scanned = (allowDestructive: boolean) => {
  const asked: Asked[] = []
  return serving(shopOf(asked), async (url) => {
    const outcome = await scan({
      target: url,
      schema: { name: 'openapi.json', text: description },
      profile: 'DEEP',
      identities: people,
      allowed: readAllowed('127.0.0.1') ?? undefined,
      allowDestructive,
      crawl: false,
      browser: false,
    })
    const sentTo = (method: string, place: RegExp) =>
      asked
        .filter((one) => one.method === method && place.test(one.path))
        .map(({ path, body }) => `${decodeURIComponent(path)} ${JSON.stringify(body)}`)
    return { outcome, sentTo }
  })
}

test('neither examples nor names that answers gave are sent to what replaces passwords', async () => {
  const { sentTo } = await scanned(false)
  const forgotten = sentTo('POST', /^\/password\/forgot/)
  const requested = sentTo('PUT', /request-reset/)

  expect(forgotten.length).toBeGreaterThan(10)
  expect(requested.length).toBeGreaterThan(0)
  for (const text of [...forgotten, ...requested]) expect(text).not.toMatch(/ann@|bob@|user-a|user-b|\/7[12]\/|\$ne/)
  // nor a condition that every account meets
  expect(forgotten.filter((text) => /' or /i.test(text))).toEqual([])
})

test('they are where the scan may', async () => {
  const { sentTo } = await scanned(true)

  expect(sentTo('POST', /^\/password\/forgot/).join()).toContain('ann@shop.example')
})

test('the page that a token opens is asked with tokens that nobody has, and a broken statement in it is found', async () => {
  const { outcome, sentTo } = await scanned(false)

  expect(outcome.findings.map(({ check, operation }) => `${check} ${operation}`)).toContain(
    'sql-injection-error GET /reset-password/{token}',
  )
  expect(sentTo('GET', /^\/reset-password/).join()).not.toContain('c0ffee-of-ann')
  expect(sentTo('POST', /^\/reset-password/)).toEqual([])
})

test('a form that fails is given nobody else, and a link that names somebody is not opened', async () => {
  const asked: Asked[] = []
  const form = '<form method=post action=/forgot><input name=userid><input type=submit></form>'
  const shop: Handler = (one) => {
    asked.push(one)
    if (one.path === '/forgot' && one.method === 'POST') return [500, 'it failed']
    if (one.path === '/forgot') return [200, form]
    if (one.path === '/login' && one.method === 'POST')
      return [302, '', { location: '/', 'set-cookie': 'sid=4f2d9ab1c07e4e1db1f0; HttpOnly' }]
    if (one.path === '/login')
      return [
        200,
        '<form method=post action=/login><input name=username><input type=password name=password></form><a href="/forgot?email=ann@shop.example">Lost it</a><a href="/forgot">Forgot</a>',
      ]
    if (one.path === '/')
      return one.headers.cookie?.includes('sid=')
        ? [200, '<h1>Hello ann</h1><a href=/forgot>F</a>']
        : [302, '', { location: '/login' }]
    return [404, '<h1>None</h1>']
  }

  await serving(shop, (url) =>
    scan({
      target: `${url}/`,
      profile: 'BALANCED',
      identities: [
        {
          name: 'ann',
          headers: [],
          cookies: [],
          query: [],
          login: { type: 'FORM', url: `${url}/login`, username: 'ann', password: 'secret' },
        },
      ],
      checks: ['clickjacking'],
      browser: false,
      allowed: readAllowed('127.0.0.1') ?? undefined,
    }),
  )

  const sent = asked.filter(({ path, method }) => path === '/forgot' && method === 'POST')
  expect(sent.length).toBeGreaterThan(0)
  for (const { body } of sent) expect(body).toMatch(/^userid=\w{6,}$/)
  expect(asked.filter(({ query }) => query.get('email') === 'ann@shop.example')).toEqual([])
})

test('what asks for a new password is sent no fields beside its own, but where the scan may', async () => {
  const operations: Described = {
    'GET /password/requests': {},
    'POST /password/forgot': { body: { email: 'ann@shop.example', note: 'please' } },
  }
  const foundWith = async (allowDestructive: boolean) => {
    const requests: Record<string, unknown>[] = []
    const shop: Handler = ({ method, path, body }) => {
      if (path === '/password/requests') return [200, requests]
      if (path !== '/password/forgot' || method !== 'POST') return [404, {}]
      const { email, note, role = 'user' } = Object(body)
      requests.push({ email, note, role })
      return [201, { sent: true }]
    }
    const findings = await findingsOf(shop, ['mass-assignment'], operations, { profile: 'DEEP', allowDestructive })
    return { found: places(findings), roles: new Set(requests.map(({ role }) => role)) }
  }

  expect(await foundWith(false)).toEqual({ found: [], roles: new Set(['user']) })
  expect((await foundWith(true)).found).toEqual(['POST /password/forgot'])
})
